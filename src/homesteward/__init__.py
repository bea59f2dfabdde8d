"""Homesteward: the model proposes, code validates, people stay in control, Home Assistant executes, Homesteward checks."""

__version__ = "0.1.0"
