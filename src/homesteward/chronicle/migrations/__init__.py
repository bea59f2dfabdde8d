"""The revisions of the chronicle's tables."""
