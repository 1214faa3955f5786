"""What the shop starts with: its products, reviews, customers and the test account."""

from pathlib import Path

import msgspec
from msgspec import Struct

FOLDER = Path(__file__).parent

SHIPPING_CENTS = {"standard": 490, "express": 1290, "pickup": 0}


class Product(Struct, frozen=True):
    """Something on sale."""

    id: int
    name: str
    category: str
    price_cents: int
    stock: int
    delivery_days: int
    sizes: tuple[str, ...]
    image: str
    summary: str
    details: tuple[str, ...]


class Review(Struct, frozen=True):
    """What a customer said about a product."""

    id: str
    product: int
    author: str
    stars: int
    text: str


class Customer(Struct, frozen=True):
    """A person in the shop's address book."""

    id: int
    name: str
    shown_as: str
    city: str
    email: str
    phone: str
    street: str
    birthday: str


class Account(Struct, frozen=True):
    """The personal data of whoever is signed in."""

    email: str
    name: str
    phone: str
    street: str
    city: str
    birthday: str
    newsletter: bool


class Line(Struct, frozen=True):
    """So many of one product in one size, in a cart or an order."""

    product: int
    size: str
    quantity: int


class Order(Struct, frozen=True):
    """A cart that was bought."""

    number: str
    placed: str
    lines: tuple[Line, ...]
    shipping: str
    status: str


class Seed(Struct, frozen=True):
    """Everything there is when the shop opens."""

    today: str
    categories: tuple[str, ...]
    products: tuple[Product, ...]
    reviews: tuple[Review, ...]
    customers: tuple[Customer, ...]
    account: Account
    password: str
    wishlist: tuple[int, ...]
    orders: tuple[Order, ...]
    next_order: int


SEED = msgspec.json.decode((FOLDER / "seed.json").read_bytes(), type=Seed)
PRODUCTS = {product.id: product for product in SEED.products}
