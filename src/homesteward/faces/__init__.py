"""The faces: web now; MCP and voice later. Each is thin: it names the caller, passes the request on, and has no rules of its own."""
