"""Pages, scripts and pictures, with the mistakes of the faults that are on."""

import asyncio
import mimetypes

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from examples.shop.acts import Edit, Fault, Missing, Policy, acts_of
from examples.shop.photo import paint
from examples.shop.seed import FOLDER
from examples.shop.visits import Shop, Visit

# The page's own scripts and connections are left open, so that any capture can be put in.
POLICY = "object-src 'none'; base-uri 'none'; frame-ancestors 'self'; form-action 'self'"
PARTS = ("head", "header", "footer")
PAGES = {
    "/": "shop",
    "/products/{id:int}": "shop",
    "/cart": "cart",
    "/wishlist": "wishlist",
    "/login": "login",
    "/checkout": "checkout",
    "/orders/{number}": "order",
    "/account": "account",
    "/payment": "payment",
    "/size-guide": "size-guide",
}
PRIVATE = {"checkout", "order", "account"}
MOST_PIXELS = 1600
PHOTOS_TAKE_S = 0.6

# The whole site is small: read once, so that a request never waits for the disk.
FILES = {
    path.relative_to(FOLDER).as_posix(): path.read_bytes()
    for folder in ("pages", "static", "analytics")
    for path in sorted((FOLDER / folder).rglob("*.*"))
}


def file_routes(shop: Shop) -> list[BaseRoute]:
    """Everything a browser loads by itself."""

    def page_route(path: str, name: str) -> Route:
        async def show(request: Request) -> Response:
            visit = Visit(shop, request)
            # Asked on every page: the session begins with it, not with one of its calls.
            signed_in = visit.session.token is not None
            if name in PRIVATE and not signed_in:
                to_login = RedirectResponse(f"/login?next={request.url.path}", status_code=303)
                return visit.remember(to_login)
            return visit.remember(_page(name, visit.faults, request))

        return Route(path, show)

    async def file(request: Request) -> Response:
        return _file(request.url.path.removeprefix("/"), Visit(shop, request).faults)

    return [
        *(page_route(path, name) for path, name in PAGES.items()),
        Route("/static/{path:path}", file),
        Route("/analytics/{path:path}", file),
        Route("/photos/{pixels:int}/{name}.bmp", photo),
    ]


async def photo(request: Request) -> Response:
    """A picture nobody made smaller."""
    await asyncio.sleep(PHOTOS_TAKE_S)
    width = min(request.path_params["pixels"], MOST_PIXELS)
    return Response(paint(request.path_params["name"], width), media_type="image/bmp")


def source_of(file: str, faults: list[Fault]) -> bytes:
    """A file as it is served while these faults are on."""
    content = FILES[file]
    for edit in acts_of(Edit, faults):
        if edit.file == file:
            content = content.replace(edit.correct.encode(), edit.broken.encode())
    return content


def _file(file: str, faults: list[Fault]) -> Response:
    if file not in FILES or Missing(file) in acts_of(Missing, faults):
        raise HTTPException(404)
    media_type, _ = mimetypes.guess_type(file)
    return Response(source_of(file, faults), media_type=media_type)


def _page(name: str, faults: list[Fault], request: Request) -> Response:
    content = source_of(f"pages/{name}.html", faults)
    for part in PARTS:
        content = content.replace(
            f"<!-- {part} -->".encode(), FILES[f"pages/_{part}.html"].rstrip(b"\n")
        )
    origin = f"{request.url.scheme}://{request.url.netloc}"
    policy = next((policy.text for policy in acts_of(Policy, faults)), POLICY)
    headers = {"Content-Security-Policy": policy.format(origin=origin)}
    return Response(content, media_type="text/html", headers=headers)
