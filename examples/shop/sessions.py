"""What the shop remembers of each visitor, in memory only.

Everything a visitor can change belongs to their session, so that two tests at once never meet.
"""

import secrets

from examples.shop.seed import SEED, Account, Line, Order, Review

MOST_SESSIONS = 1000


class Session:
    """One visitor: a cart, a wish list, orders, and who they are once signed in."""

    def __init__(self) -> None:
        self.id = secrets.token_urlsafe(18)
        self.token: str | None = None
        self.account: Account = SEED.account
        self.lines: list[Line] = []
        self.wishlist: list[int] = list(SEED.wishlist)
        self.orders: list[Order] = list(SEED.orders)
        self.reviews: list[Review] = []

    def sign_in(self) -> str:
        self.token = secrets.token_urlsafe(24)
        return self.token

    @property
    def next_order_number(self) -> str:
        return f"HL-{SEED.next_order + len(self.orders) - len(SEED.orders)}"


class Sessions:
    """The visitors of late; who was not seen for longest is forgotten first."""

    def __init__(self) -> None:
        self._by_id: dict[str, Session] = {}

    def find(self, session_id: str | None) -> Session | None:
        session = self._by_id.pop(session_id or "", None)
        if session:
            self._by_id[session.id] = session
        return session

    def begin(self) -> Session:
        session = Session()
        self._by_id[session.id] = session
        if len(self._by_id) > MOST_SESSIONS:
            del self._by_id[next(iter(self._by_id))]
        return session

    def forget_all(self) -> None:
        self._by_id.clear()
