"""Looking at the sources by itself: at the start, and soon after one of them may offer something else."""

import asyncio
import logging

from homesteward.actions.offers.keeper import Offers
from homesteward.home.live import Undo

_LOG = logging.getLogger(__name__)

LOOK_S = 5.0  # what asks is answered from what is there in any case; this is for what nobody asks about


def follow(offers: Offers, every_s: float = LOOK_S) -> Undo:
    """Begin to look, which costs nothing while no source has changed; the returned undo ends it."""
    task = asyncio.create_task(_work(offers, every_s), name="offers")

    def undo() -> None:
        task.cancel()

    return undo


async def _work(offers: Offers, every_s: float) -> None:
    while True:
        try:
            await offers.catch_up()
        except Exception:  # noqa: BLE001 - the root of this task: what cannot be looked at now is looked at next time
            _LOG.exception("The offers could not be looked at")
        await asyncio.sleep(every_s)
