"""Cameras, whose picture is drawn when it is asked for."""

from io import BytesIO

from homeassistant.components.camera import Camera, CameraEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util
from PIL import Image, ImageDraw, ImageFont

from .entity import DemoEntity
from .house import House, HouseEntry, Spec


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the cameras."""
    add(entry.runtime_data.make("camera", DemoCamera))


SIZE = (640, 360)
SKY, GROUND, INK = (168, 190, 205), (92, 112, 84), (20, 24, 28)


class DemoCamera(DemoEntity, Camera):
    """A camera. Its picture says which it is and, to the second, when it was taken."""

    _attr_supported_features = CameraEntityFeature.ON_OFF

    def __init__(self, house: House, device: Spec, spec: Spec) -> None:
        """Build the camera that `spec` describes."""
        Camera.__init__(self)
        super().__init__(house, device, spec)
        self._label = device["name"]

    @property
    def is_on(self) -> bool:
        """Return whether it looks."""
        return bool(self.facts["state"] != "off")

    @property
    def is_streaming(self) -> bool:
        """Return whether it sends pictures by itself."""
        return bool(self.facts["state"] == "streaming")

    async def async_camera_image(self, width: int | None = None, height: int | None = None) -> bytes | None:
        """Take a picture; none from a camera that is dead."""
        if not await self.obeys():
            return None
        taken = dt_util.now().strftime("%Y-%m-%d %H:%M:%S")
        return await self.hass.async_add_executor_job(_picture, self._label, taken, width, height)

    async def async_turn_on(self) -> None:
        """Look."""
        if await self.obeys():
            self.become(state="idle")

    async def async_turn_off(self) -> None:
        """Look away."""
        if await self.obeys():
            self.become(state="off")


def _picture(label: str, taken: str, width: int | None, height: int | None) -> bytes:
    """Draw a sky, a lawn and a path, with the name and the time on them, as JPEG."""
    image = Image.new("RGB", SIZE, SKY)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, SIZE[1] * 3 // 5, *SIZE), fill=GROUND)
    draw.polygon([(280, 360), (360, 360), (330, 216), (310, 216)], fill=(176, 166, 150))
    font = ImageFont.load_default(size=24)
    for place, words in (((16, 12), label), ((16, 44), taken)):
        draw.text(place, words, fill=INK, font=font)
    if width or height:
        image.thumbnail((width or SIZE[0], height or SIZE[1]))
    written = BytesIO()
    image.save(written, "JPEG", quality=85)
    return written.getvalue()
