"""Effects on lists: the state of a to-do list is how many of its items are open."""

from homesteward.home.effects.effect import Asked, Effect, Rule, number, unobservable


def added(asked: Asked) -> Effect:
    """Expect one open item more. Adding the same twice adds two."""
    count = number(asked.before.state)
    if count is None:
        return unobservable("one item more", asked.before)
    return asked.effect("one item more", str(int(count) + 1), repeatable=False)


def ticked_off(asked: Asked) -> Effect:
    """Expect one open item less where an item is done; of any other change of an item nothing shows."""
    count = number(asked.before.state)
    if count is None or asked.data.get("status") != "completed":
        return unobservable("the item changed", asked.before)
    return asked.effect("one open item less", str(max(0, int(count) - 1)), repeatable=False)


RULES: dict[str, Rule] = {"todo.add_item": added, "todo.update_item": ticked_off}
