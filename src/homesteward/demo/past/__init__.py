"""A past for the demo home: weeks of a believable life in Home Assistant's recorder, written before its first start.

A seeded story of two people (`story`) is told about whatever house the inventory describes, and laid down in the
recorder's own tables (`recorder`). What somebody does by hand most days, and how often, is known (`HABITS`,
`PastSummary.habits`), so that a search for habits can be measured by it.
"""

from homesteward.demo.past.habits import HABITS, Habit, Occasion
from homesteward.demo.past.write import SEED, HabitTruth, PastSummary, past_of, write_past

__all__ = ["HABITS", "SEED", "Habit", "HabitTruth", "Occasion", "PastSummary", "past_of", "write_past"]
