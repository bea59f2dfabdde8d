import pytest

from homes import small_home
from homesteward.home.calls import BodyStep, Call, ResolvedCall, Target
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.policy import Kind, Level, impact_of
from homesteward.policy.impact import judge


def call(service: str, *entity_ids: str, **data: object) -> ResolvedCall:
    domain, name = service.split(".")
    return ResolvedCall(domain, name, entity_ids, data)


def kind(home, service: str, entity_id: str | None = None, **data: object) -> Kind:
    return judge(call(service, *([entity_id] if entity_id else []), **data), entity_id, home).kind


def does(service: str, *entity_ids: str, **data: object) -> BodyStep:
    domain, name = service.split(".")
    return BodyStep(Call(domain, name, Target(entity_id=entity_ids), data), service)


@pytest.mark.parametrize("service", ["lock", "unlock", "open"])
def test_a_lock_is_sensitive_whichever_service_reaches_it(service):
    assert kind(small_home(), f"lock.{service}", "lock.front_door") is Kind.SENSITIVE


@pytest.mark.parametrize("domain", ["alarm_control_panel", "camera", "siren", "valve"])
def test_things_that_guard_or_watch_are_sensitive(domain):
    home = SimulatedHome.build([Thing(f"{domain}.one")])
    assert kind(home, f"{domain}.turn_on", f"{domain}.one") is Kind.SENSITIVE


@pytest.mark.parametrize(
    ("device_class", "expected"),
    [("door", 2), ("garage", 2), ("gate", 2), ("blind", 1), ("window", 1), ("shutter", 1), (None, 1)],
)
def test_a_cover_is_sensitive_by_its_device_class(device_class, expected):
    home = SimulatedHome.build([Thing("cover.one", device_class=device_class)])
    assert kind(home, "cover.set_cover_position", "cover.one", position=100) == expected


def test_a_name_never_makes_a_thing_sensitive():
    home = SimulatedHome.build([Thing("light.front_door_lock", "Garage door alarm lock")])
    assert kind(home, "light.turn_on", "light.front_door_lock") is Kind.ROUTINE


@pytest.mark.parametrize(
    ("service", "entity_id"),
    [
        ("script.turn_on", "script.let_in"),
        ("script.toggle", "script.let_in"),
        ("script.let_in", None),
        ("scene.turn_on", "scene.arrival"),
        ("automation.trigger", "automation.on_arrival"),
        ("automation.turn_on", "automation.on_arrival"),
        ("homeassistant.turn_on", "script.let_in"),
        ("homeassistant.toggle", "automation.on_arrival"),
        ("homeassistant.toggle", "cover.garage_door"),
        ("homeassistant.turn_on", "group.going_out"),
        ("homeassistant.turn_off", "lock.front_door"),
    ],
)
def test_what_reaches_a_lock_or_garage_is_as_sensitive_as_it(service, entity_id):
    assert kind(small_home(), service, entity_id) is Kind.SENSITIVE


@pytest.mark.parametrize(
    ("service", "entity_id"),
    [
        ("script.welcome", None),
        ("script.turn_on", "script.welcome"),
        ("scene.turn_on", "scene.cosy"),
        ("light.turn_on", "light.upstairs"),
        ("homeassistant.turn_on", "light.kitchen"),
        ("notify.phone", None),
        ("persistent_notification.create", None),
    ],
)
def test_everyday_things_are_routine(service, entity_id):
    assert kind(small_home(), service, entity_id) is Kind.ROUTINE


def test_the_reason_shows_the_way_to_the_lock():
    home = SimulatedHome.build(
        [
            Thing("lock.front"),
            Thing("script.inner", body=(does("lock.unlock", "lock.front"),)),
            Thing("script.outer", body=(does("script.inner"),)),
        ]
    )
    impact = impact_of(call("script.outer"), None, home)

    assert impact.level is Level.SENSITIVE
    assert impact.reason == "lock.front is a lock, reached through script.outer, script.inner"


def test_a_script_that_starts_itself_is_judged_once():
    home = SimulatedHome.build(
        [Thing("script.loop", body=(does("script.loop"), does("script.turn_on", "script.loop")))]
    )
    assert kind(home, "script.loop") is Kind.ROUTINE


def test_a_loop_of_groups_ends():
    home = SimulatedHome.build([Thing("group.a", members=("group.b",)), Thing("group.b", members=("group.a",))])
    assert kind(home, "homeassistant.turn_on", "group.a") is Kind.ROUTINE


def test_scripts_nested_a_thousand_deep_are_followed_to_the_lock():
    chain = [Thing(f"script.s{n}", body=(does(f"script.s{n + 1}"),)) for n in range(1000)]
    home = SimulatedHome.build(
        [*chain, Thing("script.s1000", body=(does("lock.open", "lock.front"),)), Thing("lock.front")]
    )
    assert kind(home, "script.s0") is Kind.SENSITIVE


def test_a_template_that_hides_what_a_script_does_is_sensitive():
    home = SimulatedHome.build([Thing("script.hidden", body=(BodyStep(None, "{{ service }}"),))])
    assert kind(home, "script.hidden") is Kind.SENSITIVE


@pytest.mark.parametrize("thing", ["script.one", "scene.one", "automation.one"])
def test_a_body_that_is_not_known_is_sensitive(thing):
    home = SimulatedHome.build([Thing(thing)])
    assert kind(home, f"{thing.split('.')[0]}.turn_on", thing) is Kind.SENSITIVE


def test_a_body_aimed_at_what_is_not_there_is_sensitive():
    home = SimulatedHome.build(
        [Thing("script.one", body=(BodyStep(Call("light", "turn_on", Target(area_id=("attic",))), ""),))]
    )
    assert kind(home, "script.one") is Kind.SENSITIVE


def test_a_body_that_aims_at_an_area_is_judged_by_what_lies_there():
    step = BodyStep(Call("lock", "unlock", Target(area_id=("hall",))), "unlock the hall")
    home = SimulatedHome.build([Thing("lock.front", area="hall"), Thing("script.one", body=(step,))], areas=["Hall"])
    assert kind(home, "script.one") is Kind.SENSITIVE


@pytest.mark.parametrize(
    ("service", "expected"),
    [
        ("shell_command.backup", Kind.FORBIDDEN),
        ("device_tracker.see", Kind.UNKNOWN),
        ("mqtt.publish", Kind.SENSITIVE),
        ("homeassistant.restart", Kind.FORBIDDEN),
    ],
)
def test_a_script_that_does_a_denied_or_unknown_thing_counts_as_it(service, expected):
    home = SimulatedHome.build([Thing("script.one", body=(does(service),))])
    assert kind(home, "script.one") is expected


@pytest.mark.parametrize(
    ("service", "data"),
    [
        ("scene.apply", {"entities": {"lock.front_door": "unlocked"}}),
        ("scene.create", {"scene_id": "x", "snapshot_entities": ["lock.front_door"]}),
        ("scene.create", {"scene_id": "x", "entities": {"light.hall": "on", "cover.garage_door": {"state": "open"}}}),
        ("script.welcome", {"then": "script.let_in"}),
        ("media_player.join", {"group_members": [" LOCK.Front_Door "]}),
        ("media_player.join", {"group_members": "media_player.speaker,lock.front_door"}),
    ],
)
def test_an_entity_hidden_in_the_data_counts_as_a_target(service, data):
    assert kind(small_home(), service, None, **data) is Kind.SENSITIVE


@pytest.mark.parametrize(
    ("service", "data"),
    [
        ("notify.phone", {"message": "look", "data": {"image": "/api/camera_proxy/camera.door?width=100"}}),
        ("notify.phone", {"message": "look", "data": {"entity_id": "camera.door"}}),
        ("media_player.play_media", {"media_content_id": "media-source://camera/camera.door"}),
    ],
)
def test_a_picture_of_a_camera_that_is_sent_on_is_as_sensitive_as_the_camera(service, data):
    home = SimulatedHome.build([Thing("camera.door"), Thing("media_player.tv")])
    assert kind(home, service, "media_player.tv" if "media" in service else None, **data) is Kind.SENSITIVE


def test_a_message_that_speaks_of_a_lock_is_a_message():
    home = small_home()
    assert kind(home, "notify.phone", None, message="lock.front_door is open / lock.front_door!") is Kind.ROUTINE


@pytest.mark.parametrize(
    "service",
    [
        "automation.reload",
        "input_boolean.reload",
        "homeassistant.reload_all",
        "homeassistant.reload_config_entry",
        "homeassistant.reload_core_config",
        "group.set",
        "update.install",
        "scene.delete",
    ],
)
def test_what_changes_the_set_up_is_configuration(service):
    impact = impact_of(call(service), None, small_home())
    assert (impact.level, kind(small_home(), service)) == (Level.CRITICAL, Kind.CONFIGURATION)


@pytest.mark.parametrize(
    "service",
    [
        "shell_command.backup",
        "hassio.host_reboot",
        "rest_command.post",
        "python_script.run",
        "pyscript.run",
        "hassio.reload",
        "homeassistant.stop",
        "homeassistant.restart",
        "backup.delete",
    ],
)
def test_the_deny_list_stands_over_everything(service):
    assert kind(small_home(), service) is Kind.FORBIDDEN


@pytest.mark.parametrize(
    "service",
    [
        "mqtt.publish",
        "zwave_js.set_value",
        "zwave_js.invoke_cc_api",
        "zwave_js.multicast_set_value",
        "zha.issue_zigbee_cluster_command",
        "zha.issue_zigbee_group_command",
        "zha.set_zigbee_cluster_attribute",
        "zigbee2mqtt.anything",
        "esphome.gate_pulse",
        "rfxtrx.send",
        "modbus.write_coil",
        "remote.send_command",
        "conversation.process",
    ],
)
def test_words_to_a_radio_or_to_another_mind_are_sensitive(service):
    assert kind(small_home(), service) is Kind.SENSITIVE


@pytest.mark.parametrize(
    "service", ["zwave_js.set_lock_usercode", "zha.permit", "zha.set_lock_user_code", "matter.set_lock_credential"]
)
def test_who_a_lock_opens_for_and_what_joins_a_network_is_configuration(service):
    assert kind(small_home(), service) is Kind.CONFIGURATION


def test_an_answer_of_a_model_is_routine_and_pictures_for_it_are_sensitive():
    home = small_home()
    assert kind(home, "ai_task.generate_data", instructions="a poem") is Kind.ROUTINE
    assert kind(home, "ai_task.generate_data", attachments=[{"media_content_id": "media-source://camera/x"}]) is (
        Kind.SENSITIVE
    )


@pytest.mark.parametrize("service", ["device_tracker.see", "downloader.download_file", "never_heard.of"])
def test_a_domain_that_nobody_has_judged_is_unknown(service):
    assert kind(small_home(), service) is Kind.UNKNOWN


def test_an_entity_that_the_home_does_not_know_is_critical():
    assert impact_of(call("light.turn_on", "light.gone"), "light.gone", small_home()).level is Level.CRITICAL


def test_a_group_with_a_lock_among_lights_is_sensitive_and_names_the_lock():
    impact = impact_of(call("homeassistant.turn_on", "group.going_out"), "group.going_out", small_home())
    assert impact.reason == "lock.front_door is a lock, reached through group.going_out"


def test_a_lock_made_of_switches_stays_a_lock():
    home = SimulatedHome.build([Thing("lock.gate", members=("switch.relay",)), Thing("switch.relay")])
    assert kind(home, "lock.unlock", "lock.gate") is Kind.SENSITIVE


@pytest.mark.parametrize(
    "service", ["weather.get_forecasts", "calendar.get_events", "todo.get_items", "homeassistant.update_entity"]
)
def test_a_service_that_only_answers_is_a_read(service):
    assert impact_of(call(service), None, small_home()).level is Level.READ
