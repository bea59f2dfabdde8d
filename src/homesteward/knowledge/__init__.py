"""What the house is like. So far: what everything in it is called, and how that is looked up.

It reads the home through its view and sends nothing. Sentences, tools and answers all look names up here.
"""

from homesteward.knowledge.gathering import gathering_of, names_of_home
from homesteward.knowledge.names import Named, NameIndex, Scope

__all__ = ["NameIndex", "Named", "Scope", "gathering_of", "names_of_home"]
