"""What stands in the addresses of the HTTP face: one word per place, and none of them is there."""

PLACES = {
    "run_id": "run_none",
    "plan_id": "plan_none",
    "name": "find",
    "entity_id": "light.kitchen",
    "person_id": "person_none",
    "device_id": "none",
    "token_id": "none",
    "session_id": "none",
    "notice_id": "notice_none",
    "offer_id": "offer_none",
    "schedule_id": "schedule_none",
    "part": "recent",
    "deed": "enable",
    "n": "1",
    "start": "none",
}
# What a route needs to be asked with; those that stream would not end by themselves.
QUERIES = {
    "/api/v1/notices/events": {"follow": "false"},
    "/live": {"follow": "false"},
    "/api/v1/home-at": {"at": "NOW"},
    "/api/v1/chronicle/filter": {"entity_id": "light.kitchen"},
}
