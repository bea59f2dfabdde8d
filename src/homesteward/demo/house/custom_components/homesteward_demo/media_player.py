"""Speakers and a television."""

from typing import Any, ClassVar

from homeassistant.components.media_player import (
    MediaPlayerEntity,
    MediaPlayerEntityFeature,
    MediaPlayerState,
    MediaType,
)
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry, Spec


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the media players."""
    add(entry.runtime_data.make("media_player", DemoPlayer))


class DemoPlayer(DemoEntity, MediaPlayerEntity):
    """A player. `traits.sources` are the inputs it can switch between."""

    defaults: ClassVar[Spec] = {"volume_level": 0.3, "is_volume_muted": False, "media_title": None, "source": None}

    @property
    def supported_features(self) -> MediaPlayerEntityFeature:
        """Return what the player can do."""
        features = (
            MediaPlayerEntityFeature.PLAY
            | MediaPlayerEntityFeature.PAUSE
            | MediaPlayerEntityFeature.STOP
            | MediaPlayerEntityFeature.PLAY_MEDIA
            | MediaPlayerEntityFeature.NEXT_TRACK
            | MediaPlayerEntityFeature.VOLUME_SET
            | MediaPlayerEntityFeature.VOLUME_MUTE
            | MediaPlayerEntityFeature.TURN_ON
            | MediaPlayerEntityFeature.TURN_OFF
        )
        return features | MediaPlayerEntityFeature.SELECT_SOURCE if self.source_list else features

    @property
    def state(self) -> MediaPlayerState:
        """Return what it does."""
        return MediaPlayerState(self.facts["state"])

    @property
    def volume_level(self) -> float:
        """Return the volume, 0 to 1."""
        return float(self.facts["volume_level"])

    @property
    def is_volume_muted(self) -> bool:
        """Return whether it is muted."""
        return bool(self.facts["is_volume_muted"])

    @property
    def media_title(self) -> str | None:
        """Return what is on."""
        title: str | None = self.facts["media_title"]
        return title

    @property
    def source(self) -> str | None:
        """Return the input in use."""
        source: str | None = self.facts["source"]
        return source

    @property
    def source_list(self) -> list[str] | None:
        """Return the inputs."""
        return self.traits.get("sources")

    async def async_turn_on(self) -> None:
        """Turn on."""
        await self._set(state=MediaPlayerState.IDLE)

    async def async_turn_off(self) -> None:
        """Turn off."""
        await self._set(state=MediaPlayerState.OFF)

    async def async_media_play(self) -> None:
        """Play on."""
        await self._set(state=MediaPlayerState.PLAYING, media_title=self.media_title or "Track 1")

    async def async_media_pause(self) -> None:
        """Pause."""
        await self._set(state=MediaPlayerState.PAUSED)

    async def async_media_stop(self) -> None:
        """Stop."""
        await self._set(state=MediaPlayerState.IDLE, media_title=None)

    async def async_media_next_track(self) -> None:
        """Play what comes next."""
        await self._set(state=MediaPlayerState.PLAYING, media_title="Next track")

    async def async_play_media(self, media_type: MediaType | str, media_id: str, **kwargs: Any) -> None:
        """Play something."""
        await self._set(state=MediaPlayerState.PLAYING, media_title=media_id)

    async def async_set_volume_level(self, volume: float) -> None:
        """Set the volume; above its limit, the player refuses."""
        limit = self.behaviour.volume_limit
        if limit is not None and volume > limit:
            raise HomeAssistantError(f"It goes no louder than {limit:.0%}")
        await self._set(volume_level=volume)

    async def async_mute_volume(self, mute: bool) -> None:
        """Mute, or not."""
        await self._set(is_volume_muted=mute)

    async def async_select_source(self, source: str) -> None:
        """Switch to an input."""
        await self._set(source=source)

    async def _set(self, **facts: Any) -> None:
        if await self.obeys():
            self.become(**facts)
