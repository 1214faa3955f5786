"""What the API answers: the shop's own records, as a page wants to read them."""

from collections.abc import Iterable

from msgspec import Struct

from examples.shop.seed import PRODUCTS, SEED, SHIPPING_CENTS, Account, Line, Order, Product
from examples.shop.sessions import Session


class Price(Struct, frozen=True):
    """An amount of money."""

    amount: float
    currency: str = "EUR"


class ProductCard(Struct, frozen=True):
    """A product among others."""

    id: int
    name: str
    category: str
    price: Price
    image: str


class ProductList(Struct, frozen=True):
    """Products that were asked for."""

    items: list[ProductCard]
    total: int
    categories: tuple[str, ...]


class ProductPage(Struct, frozen=True):
    """A product with everything there is to know about it."""

    id: int
    name: str
    category: str
    price: Price
    image: str
    summary: str
    details: tuple[str, ...]
    sizes: tuple[str, ...]
    stock: int
    delivery_days: int


class CartLine(Struct, frozen=True):
    """A line of a cart, with its product."""

    line: int
    product: ProductCard
    size: str
    quantity: int


class Cart(Struct, frozen=True):
    """What a visitor is about to buy."""

    lines: list[CartLine]
    count: int


class OrderView(Struct, frozen=True):
    """An order, with its products and what it cost."""

    number: str
    placed: str
    status: str
    shipping: str
    lines: list[CartLine]
    total: Price


class OrderList(Struct, frozen=True):
    """Everything an account ever bought, newest first."""

    orders: list[OrderView]


class SessionView(Struct, frozen=True):
    """Who is here, and how full their cart is."""

    signed_in: bool
    name: str | None
    cart_count: int


class SignedIn(Struct, frozen=True):
    """The answer to a login that worked."""

    name: str
    token: str


class PublicCustomer(Struct, frozen=True):
    """As much of a customer as everybody may see."""

    id: int
    name: str
    city: str


class CustomerList(Struct, frozen=True):
    """The customers whom the shop thanks."""

    customers: list[PublicCustomer]


class AccountView(Struct, frozen=True):
    """The personal data of the one who asks."""

    account: Account


def price_of(cents: int) -> Price:
    return Price(cents / 100)


def card_of(product: Product) -> ProductCard:
    return ProductCard(
        product.id, product.name, product.category, price_of(product.price_cents), product.image
    )


def page_of(product: Product) -> ProductPage:
    return ProductPage(
        product.id,
        product.name,
        product.category,
        price_of(product.price_cents),
        product.image,
        product.summary,
        product.details,
        product.sizes,
        product.stock,
        product.delivery_days,
    )


def list_of(products: Iterable[Product]) -> ProductList:
    items = [card_of(product) for product in products]
    return ProductList(items, len(items), SEED.categories)


def cart_lines(lines: Iterable[Line]) -> list[CartLine]:
    return [
        CartLine(number, card_of(PRODUCTS[line.product]), line.size, line.quantity)
        for number, line in enumerate(lines, 1)
    ]


def cart_of(session: Session) -> Cart:
    return Cart(cart_lines(session.lines), count_of(session))


def count_of(session: Session) -> int:
    return sum(line.quantity for line in session.lines)


def view_of(order: Order) -> OrderView:
    cents = sum(PRODUCTS[line.product].price_cents * line.quantity for line in order.lines)
    return OrderView(
        order.number,
        order.placed,
        order.status,
        order.shipping,
        cart_lines(order.lines),
        price_of(cents + SHIPPING_CENTS[order.shipping]),
    )
