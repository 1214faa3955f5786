"""Real pictures for tests."""

import base64
import io

from PIL import Image, ImageDraw


def page_picture(width: int = 640, height: int = 400) -> Image.Image:
    """Something like a page: white, lines of text, a few boxes."""
    picture = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(picture)
    for top in range(4, height, 24):
        draw.text((8, top), f"line {top} of the page", fill=(20, 20, 60))
    draw.rectangle((width // 2, height // 4, width - 1, height // 2), fill=(200, 80, 40))
    return picture


def noise_picture(width: int, height: int) -> Image.Image:
    """What no PNG can make small."""
    return Image.effect_noise((width, height), 100).convert("RGB")


def encoded(picture: Image.Image, form: str = "PNG") -> bytes:
    out = io.BytesIO()
    picture.save(out, form)
    return out.getvalue()


def data_url(image: bytes, media_type: str = "image/png") -> str:
    return f"data:{media_type};base64,{base64.b64encode(image).decode()}"


def page_data_url(width: int = 640, height: int = 400) -> str:
    return data_url(encoded(page_picture(width, height)))


def opened(image: bytes) -> Image.Image:
    return Image.open(io.BytesIO(image))
