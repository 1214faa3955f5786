"""The shop's API: one function per call, from what was asked to what is answered."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from examples.shop.reviews import answer_operation
from examples.shop.seed import PRODUCTS, SEED, SHIPPING_CENTS, Line, Order, Product
from examples.shop.sessions import Session
from examples.shop.views import (
    AccountView,
    Cart,
    CustomerList,
    OrderList,
    OrderView,
    ProductList,
    ProductPage,
    PublicCustomer,
    SessionView,
    SignedIn,
    cart_of,
    count_of,
    list_of,
    page_of,
    view_of,
)

RECOMMENDATIONS_TAKE_S = 0.7
MOST_LINES = 50

BAD_REQUEST, UNAUTHORIZED, NOT_FOUND, CREATED = 400, 401, 404, 201

Sent = TypeVar("Sent", bound=Struct)
Quantity = Annotated[int, Meta(ge=1, le=99)]
Text = Annotated[str, Meta(max_length=500)]


class Asked(Struct, frozen=True):
    """One request to the API, and the visitor it came from."""

    session: Session
    path: Mapping[str, Any]
    query: Mapping[str, str]
    body: bytes
    token: str | None


class RefusedError(Exception):
    """The visitor asked for something they cannot have."""

    def __init__(self, status: int, code: str, error: str) -> None:
        super().__init__(error)
        self.status = status
        self.code = code


class Credentials(Struct, frozen=True):
    """What the login form sends."""

    email: Text
    password: Text


class Quantities(Struct, frozen=True):
    """How many of a line in the cart."""

    quantity: Quantity


class Wishes(Struct, frozen=True):
    """The wish list in its new order."""

    products: Annotated[list[int], Meta(max_length=len(PRODUCTS))]


class Profile(Struct, frozen=True):
    """The part of the personal data that its owner can change."""

    name: Text
    phone: Text
    newsletter: bool


class Attachment(Struct, frozen=True):
    """What was attached to an order; its content stays in the browser."""

    name: Text
    bytes: int


class Purchase(Struct, frozen=True):
    """What the checkout form sends."""

    name: Text
    street: Text
    city: Text
    shipping: str
    payment: str
    gift_wrap: bool = False
    delivery_date: Text = ""
    note: Text = ""
    card_token: Text | None = None
    attachment: Attachment | None = None


def read_session(asked: Asked) -> SessionView:
    signed_in = asked.session.token is not None
    name = asked.session.account.name if signed_in else None
    return SessionView(signed_in, name, count_of(asked.session))


def list_products(asked: Asked) -> ProductList:
    return list_of(_in_category(asked))


def search_products(asked: Asked) -> ProductList:
    sought = asked.query.get("q", "").casefold()
    return list_of(
        product
        for product in _in_category(asked)
        if sought in f"{product.name} {product.category} {product.summary}".casefold()
    )


def read_product(asked: Asked) -> ProductPage:
    return page_of(_product(asked.path["id"]))


async def recommend(asked: Asked) -> ProductList:
    await asyncio.sleep(RECOMMENDATIONS_TAKE_S)
    product = _product(asked.path["id"])
    others = [other for other in SEED.products if other.id != product.id]
    alike = [other for other in others if other.category == product.category]
    return list_of((alike + [other for other in others if other not in alike])[:3])


def list_customers(_asked: Asked) -> CustomerList:
    return CustomerList(
        [PublicCustomer(person.id, person.shown_as, person.city) for person in SEED.customers]
    )


def read_cart(asked: Asked) -> Cart:
    return cart_of(asked.session)


def add_to_cart(asked: Asked) -> Cart:
    wanted = _decode(asked, Line)
    product, lines = _product(wanted.product), asked.session.lines
    if wanted.size not in product.sizes or wanted.quantity < 1 or len(lines) >= MOST_LINES:
        raise RefusedError(BAD_REQUEST, "LINE_REFUSED", "This size or quantity is not on sale")
    _add(asked.session, wanted)
    return cart_of(asked.session)


def change_quantity(asked: Asked) -> Cart:
    place = _line_place(asked)
    quantity = _decode(asked, Quantities).quantity
    lines = asked.session.lines
    lines[place] = msgspec.structs.replace(lines[place], quantity=quantity)
    return cart_of(asked.session)


def remove_line(asked: Asked) -> Cart:
    del asked.session.lines[_line_place(asked)]
    return cart_of(asked.session)


def read_wishlist(asked: Asked) -> ProductList:
    return list_of(PRODUCTS[number] for number in asked.session.wishlist)


def change_wishlist(asked: Asked) -> ProductList:
    wishes = _decode(asked, Wishes).products
    asked.session.wishlist = [_product(number).id for number in dict.fromkeys(wishes)]
    return read_wishlist(asked)


def sign_in(asked: Asked) -> SignedIn:
    given = _decode(asked, Credentials)
    if (given.email, given.password) != (SEED.account.email, SEED.password):
        raise RefusedError(UNAUTHORIZED, "BAD_CREDENTIALS", "Wrong e-mail or password")
    return SignedIn(asked.session.account.name, asked.session.sign_in())


def sign_out(asked: Asked) -> SessionView:
    asked.session.token = None
    return read_session(asked)


def read_account(asked: Asked) -> AccountView:
    return AccountView(_signed_in(asked).account)


def change_account(asked: Asked) -> AccountView:
    session, profile = _signed_in(asked), _decode(asked, Profile)
    session.account = msgspec.structs.replace(
        session.account, name=profile.name, phone=profile.phone, newsletter=profile.newsletter
    )
    return AccountView(session.account)


def list_orders(asked: Asked) -> OrderList:
    return OrderList([view_of(order) for order in _signed_in(asked).orders])


def read_order(asked: Asked) -> OrderView:
    return view_of(_order(asked))


def place_order(asked: Asked) -> OrderView:
    session, purchase = _signed_in(asked), _decode(asked, Purchase)
    if not session.lines:
        raise RefusedError(BAD_REQUEST, "CART_EMPTY", "There is nothing in the cart")
    if purchase.shipping not in SHIPPING_CENTS:
        raise RefusedError(BAD_REQUEST, "SHIPPING_UNKNOWN", "Choose a way of shipping")
    if purchase.payment == "card" and not purchase.card_token:
        raise RefusedError(BAD_REQUEST, "CARD_MISSING", "Confirm your card first")
    order = Order(
        session.next_order_number,
        SEED.today,
        tuple(session.lines),
        purchase.shipping,
        "In preparation",
    )
    session.orders.insert(0, order)
    session.lines.clear()
    return view_of(order)


def reorder(asked: Asked) -> Cart:
    for line in _order(asked).lines:
        _add(asked.session, line)
    return cart_of(asked.session)


def ask_graph(asked: Asked) -> dict[str, Any]:
    return answer_operation(asked.session, asked.body)


CALLS: dict[str, Callable[[Asked], Any] | Callable[[Asked], Awaitable[Any]]] = {
    "GET /api/session": read_session,
    "GET /api/products": list_products,
    "GET /api/products/{id:int}": read_product,
    "GET /api/products/{id:int}/recommendations": recommend,
    "GET /api/search": search_products,
    "GET /api/customers": list_customers,
    "GET /api/cart": read_cart,
    "POST /api/cart/lines": add_to_cart,
    "PATCH /api/cart/lines/{line:int}": change_quantity,
    "DELETE /api/cart/lines/{line:int}": remove_line,
    "GET /api/wishlist": read_wishlist,
    "PUT /api/wishlist": change_wishlist,
    "POST /api/login": sign_in,
    "POST /api/logout": sign_out,
    "GET /api/account": read_account,
    "PUT /api/account": change_account,
    "GET /api/orders": list_orders,
    "POST /api/orders": place_order,
    "GET /api/orders/{number}": read_order,
    "POST /api/orders/{number}/reorder": reorder,
    "POST /graphql": ask_graph,
}


def _decode(asked: Asked, shape: type[Sent]) -> Sent:
    return msgspec.json.decode(asked.body, type=shape)


def _product(number: int) -> Product:
    if number not in PRODUCTS:
        raise RefusedError(NOT_FOUND, "PRODUCT_UNKNOWN", f"There is no product {number}")
    return PRODUCTS[number]


def _in_category(asked: Asked) -> list[Product]:
    category = asked.query.get("category", "")
    return [product for product in SEED.products if category in ("", product.category)]


def _line_place(asked: Asked) -> int:
    place: int = asked.path["line"] - 1
    if not 0 <= place < len(asked.session.lines):
        raise RefusedError(NOT_FOUND, "LINE_UNKNOWN", "This line is not in the cart any more")
    return place


def _add(session: Session, wanted: Line) -> None:
    for place, line in enumerate(session.lines):
        if (line.product, line.size) == (wanted.product, wanted.size):
            more = line.quantity + wanted.quantity
            session.lines[place] = msgspec.structs.replace(line, quantity=more)
            return
    session.lines.append(wanted)


def _signed_in(asked: Asked) -> Session:
    # The cookie alone is not enough: another site could make the browser send it.
    if asked.token is None or asked.token != asked.session.token:
        raise RefusedError(UNAUTHORIZED, "SIGN_IN_FIRST", "Sign in first")
    return asked.session


def _order(asked: Asked) -> Order:
    for order in _signed_in(asked).orders:
        if order.number == asked.path["number"]:
            return order
    raise RefusedError(NOT_FOUND, "ORDER_UNKNOWN", "You have no such order")
