"""Reviews, asked for in the manner of GraphQL: one address, and a name for each operation."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from examples.shop.seed import SEED, Review
from examples.shop.sessions import Session

MOST_REVIEWS = 100


class Variables(Struct, frozen=True):
    """What an operation is about."""

    product: int
    stars: Annotated[int, Meta(ge=1, le=5)] = 5
    text: Annotated[str, Meta(max_length=1000)] = ""


class Operation(Struct, frozen=True, rename="camel"):
    """The body of a request."""

    operation_name: str
    variables: Variables
    query: str = ""


def product_reviews(session: Session, asked: Variables) -> dict[str, Any]:
    nodes = [
        review for review in [*session.reviews, *SEED.reviews] if review.product == asked.product
    ]
    average = round(sum(review.stars for review in nodes) / len(nodes), 1) if nodes else None
    reviews = {"totalCount": len(nodes), "average": average, "nodes": nodes}
    return {"product": {"id": asked.product, "reviews": reviews}}


def add_review(session: Session, asked: Variables) -> dict[str, Any]:
    author = session.account.name if session.token else "A guest"
    number = len(SEED.reviews) + len(session.reviews) + 1
    review = Review(f"r{number}", asked.product, author, asked.stars, asked.text)
    session.reviews = [review, *session.reviews][:MOST_REVIEWS]
    return {"addReview": {"review": review}}


OPERATIONS: dict[str, Callable[[Session, Variables], dict[str, Any]]] = {
    "ProductReviews": product_reviews,
    "AddReview": add_review,
}


def answer_operation(session: Session, body: bytes) -> dict[str, Any]:
    """Answer one operation; an unknown one is an error among the data, as GraphQL has it."""
    operation = msgspec.json.decode(body, type=Operation)
    answer = OPERATIONS.get(operation.operation_name)
    if answer is None:
        known = ", ".join(OPERATIONS)
        return {"errors": [{"message": f"Unknown operation. Known are: {known}."}]}
    return {"data": answer(session, operation.variables)}
