"""Domains of calls that are ours: Home Assistant has no service for what they do, and is never sent one."""

CONFIG = "ha_config"
OWN = "homesteward"
SERVER = "mcp_"  # and the name of an external server
ANYTIME = frozenset({f"{OWN}.unschedule"})  # what asks nothing of the home, and is done while it is out of reach too


def is_reserved(domain: str) -> bool:
    """Return whether calls of `domain` are carried out by a room of ours instead of a service of Home Assistant."""
    return domain in {CONFIG, OWN} or domain.startswith(SERVER)
