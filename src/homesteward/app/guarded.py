"""What must never be told: the secrets of the settings, taken out of an error that passes."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from homesteward.core.errors import HomestewardError
from homesteward.core.redaction import Redactor
from homesteward.home.access import SUPERVISOR_TOKEN
from homesteward.settings import Settings
from homesteward.store.postgres import password_of


def secrets_in(settings: Settings) -> tuple[str, ...]:
    """Return every secret that the settings or the environment hold."""
    given = os.environ.get(SUPERVISOR_TOKEN, "")
    keys = settings.store.key.get_secret_value().replace(",", " ").split()
    password = password_of(settings.store.url.get_secret_value())
    own = (settings.ha.token, settings.ha.refresh_token, settings.model.api_key)
    return (given, password, *keys, *(secret.get_secret_value() for secret in own))


@contextmanager
def cleaned(redactor: Redactor) -> Iterator[None]:
    """Take every secret out of an error that passes: a token pasted for the address would be repeated in it."""
    try:
        yield
    except HomestewardError as error:
        error.message, error.next = redactor.clean(error.message), redactor.clean(error.next)
        error.args = (error.message,)
        raise
