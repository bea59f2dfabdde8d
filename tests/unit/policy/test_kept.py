"""What is worked out of a home is worked out again exactly when the home is another."""

from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.policy.kept import MAX_KEPT, Kept


def counted():
    made = []
    return Kept(lambda home: home.entities, lambda home: made.append(home) or len(made)), made


def test_it_is_made_once_while_the_home_is_the_same():
    kept, made = counted()
    home = SimulatedHome.build([Thing("light.a")])
    assert (kept.of(home), kept.of(home), len(made)) == (1, 1, 1)


def test_it_is_made_anew_for_another_revision_or_another_home():
    kept, _ = counted()
    home, other = SimulatedHome.build([Thing("light.a")]), SimulatedHome.build([Thing("light.a")])
    assert (kept.of(home), kept.of(other), kept.of(home)) == (1, 2, 1)
    home.expose("light.a", exposed=False)
    assert kept.of(home) == 3


def test_no_more_homes_are_kept_than_one_process_serves():
    kept, made = counted()
    homes = [SimulatedHome.build([]) for _ in range(MAX_KEPT + 1)]
    for home in homes:
        kept.of(home)
    kept.of(homes[-1])
    assert len(made) == len(homes)
    kept.of(homes[0])
    assert len(made) == len(homes) + 1
