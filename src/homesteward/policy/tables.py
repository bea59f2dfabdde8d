"""What services and things amount to, as data: the tables that impact is judged by. Nothing here is a name a person gave."""

from homesteward.policy.decision import Kind

# Whichever service reaches them, these let somebody in, watch somebody, or alarm the street.
SENSITIVE_DOMAINS = frozenset({"lock", "alarm_control_panel", "camera", "siren", "valve"})
# A cover of another class, or of none, is not an entrance: HA's own voice assistants draw the line here too, and a person
# who has a garage door without a class sets it in HA ("show as"), which every other client needs as well.
SENSITIVE_COVERS = frozenset({"door", "garage", "gate"})

# What these do is written in their body, not in their service.
BODIED_DOMAINS = frozenset({"script", "scene", "automation"})

ROUTINE_DOMAINS = frozenset(
    {
        "assist_satellite",
        "button",
        "calendar",
        "climate",
        "counter",
        "cover",
        "date",
        "datetime",
        "fan",
        "humidifier",
        "input_boolean",
        "input_button",
        "input_datetime",
        "input_number",
        "input_select",
        "input_text",
        "lawn_mower",
        "light",
        "media_player",
        "notify",
        "number",
        "persistent_notification",
        "remote",
        "select",
        "shopping_list",
        "switch",
        "text",
        "time",
        "timer",
        "todo",
        "tts",
        "vacuum",
        "water_heater",
        "weather",
    }
)
# Entities that are what somebody wrote, while Home Assistant tells nobody what that is: a template's actions, a command's line.
UNSEEN_PLATFORMS = {"template": "a template", "command_line": "a command", "universal": "a universal media player"}
# Domains whose entities a call can act on; an entity of another domain named in the data is only read.
ACTING_DOMAINS = ROUTINE_DOMAINS | SENSITIVE_DOMAINS | BODIED_DOMAINS | {"group"}

# `homeassistant.<service>` does to each entity what the entity's own domain does.
DELEGATED_SERVICES = frozenset({"turn_on", "turn_off", "toggle"})

DENIED_DOMAINS = frozenset({"shell_command", "hassio", "rest_command", "python_script", "pyscript"})

# Words to a radio, a bus, a broker or another mind: what they end at is nowhere in the call.
RAW_DOMAINS = frozenset(
    {
        "ai_task", "conversation", "enocean", "esphome", "insteon", "isy994", "knx", "lcn", "matter", "modbus", "mqtt",
        "mysensors", "openzwave", "rflink", "rfxtrx", "serial", "velbus", "zha", "zigbee2mqtt", "zwave_js",
    }
)  # fmt: skip

# Where a field is in the data, a service weighs more: pictures handed on to a mind outside the house.
RAISED_BY_DATA: dict[str, str] = dict.fromkeys(
    ("ai_task.generate_data", "ai_task.generate_image", "ai_task.evaluate"), "attachments"
)

# One service that is not what its domain is. Looked up before the domain's own kind.
SERVICE_KINDS: dict[str, Kind] = {
    # none of Home Assistant's: what they carry is judged as well
    "ha_config.write": Kind.CONFIGURATION,
    "ha_config.delete": Kind.CONFIGURATION,
    "homesteward.schedule": Kind.ROUTINE,  # it is what it would do
    "homesteward.unschedule": Kind.ROUTINE,
    "homesteward.enable_offer": Kind.CONFIGURATION,
    "homesteward.forget_offer": Kind.CONFIGURATION,
    "homesteward.disable_offer": Kind.ROUTINE,  # it only takes something away
    "homeassistant.stop": Kind.FORBIDDEN,
    "homeassistant.restart": Kind.FORBIDDEN,
    "backup.delete": Kind.FORBIDDEN,
    "weather.get_forecasts": Kind.READ,
    "calendar.get_events": Kind.READ,
    "todo.get_items": Kind.READ,
    "homeassistant.update_entity": Kind.READ,  # asks a thing for its state again
    "media_player.browse_media": Kind.READ,
    "media_player.search_media": Kind.READ,
    "recorder.get_statistics": Kind.READ,
    "schedule.get_schedule": Kind.READ,
    "ai_task.generate_data": Kind.ROUTINE,  # an answer, and nothing is done; what it is shown can weigh more
    "ai_task.generate_image": Kind.ROUTINE,
    "ai_task.evaluate": Kind.ROUTINE,
    "logbook.log": Kind.ROUTINE,
    "system_log.write": Kind.ROUTINE,
    "zwave_js.ping": Kind.ROUTINE,
    "zwave_js.refresh_value": Kind.ROUTINE,
    "zwave_js.refresh_notifications": Kind.ROUTINE,
    "remote.send_command": Kind.SENSITIVE,  # a raw code: it may be the garage's
    "remote.learn_command": Kind.CONFIGURATION,
    "remote.delete_command": Kind.CONFIGURATION,
    "backup.create": Kind.CONFIGURATION,
    "backup.create_automatic": Kind.CONFIGURATION,
    "frontend.set_theme": Kind.CONFIGURATION,
    "group.set": Kind.CONFIGURATION,  # changes what every later call to the group reaches
    "group.remove": Kind.CONFIGURATION,
    "homeassistant.check_config": Kind.CONFIGURATION,
    "homeassistant.save_persistent_states": Kind.CONFIGURATION,
    "homeassistant.set_location": Kind.CONFIGURATION,
    "logger.set_default_level": Kind.CONFIGURATION,
    "logger.set_level": Kind.CONFIGURATION,
    "recorder.disable": Kind.CONFIGURATION,
    "recorder.enable": Kind.CONFIGURATION,
    "recorder.purge": Kind.CONFIGURATION,
    "recorder.purge_entities": Kind.CONFIGURATION,
    "scene.delete": Kind.CONFIGURATION,
    "system_log.clear": Kind.CONFIGURATION,
    "update.clear_skipped": Kind.CONFIGURATION,
    "update.install": Kind.CONFIGURATION,
    "update.skip": Kind.CONFIGURATION,
    **dict.fromkeys(  # who a lock opens for, which things belong to a network, and how they are set up
        (
            "isy994.delete_zwave_lock_user_code",
            "isy994.set_zwave_lock_user_code",
            "isy994.set_zwave_parameter",
            "matter.clear_lock_credential",
            "matter.clear_lock_user",
            "matter.set_lock_credential",
            "matter.set_lock_user",
            "zha.clear_lock_user_code",
            "zha.disable_lock_user_code",
            "zha.enable_lock_user_code",
            "zha.permit",
            "zha.reconfigure_device",
            "zha.remove",
            "zha.set_lock_user_code",
            "zwave_js.bulk_set_partial_config_parameters",
            "zwave_js.clear_lock_usercode",
            "zwave_js.delete_all_credentials",
            "zwave_js.delete_all_users",
            "zwave_js.delete_credential",
            "zwave_js.delete_user",
            "zwave_js.set_config_parameter",
            "zwave_js.set_credential",
            "zwave_js.set_lock_configuration",
            "zwave_js.set_lock_usercode",
            "zwave_js.set_user",
        ),
        Kind.CONFIGURATION,
    ),
}

# Where the service is of one of these kinds, what it is aimed at can make it weigh more.
TARGETS_DECIDE = frozenset({Kind.ROUTINE, Kind.SENSITIVE, Kind.UNKNOWN})


def service_kind(domain: str, service: str) -> Kind | None:
    """Return what a service is whatever it is aimed at, or None where its targets decide."""
    if domain in DENIED_DOMAINS:
        return Kind.FORBIDDEN
    if (known := SERVICE_KINDS.get(f"{domain}.{service}")) is not None:
        return known
    if service == "reload" or service.startswith("reload_"):
        return Kind.CONFIGURATION
    return Kind.SENSITIVE if domain in RAW_DOMAINS else None
