"""The open shop: who visits, and which faults they meet."""

from collections import Counter
from collections.abc import Iterable

from starlette.requests import HTTPConnection
from starlette.responses import Response

from examples.shop.acts import Fail, Fault, acts_of
from examples.shop.sessions import Session, Sessions
from examples.shop.switches import Switches, asked_for, from_cookie, to_cookie

SESSION_COOKIE, FAULTS_COOKIE = "shop_session", "shop_faults"


class Shop:
    """All that changes while the shop is open."""

    def __init__(self, faults: Iterable[str] = ()) -> None:
        self.switches = Switches(faults)
        self.sessions = Sessions()
        self._turns: Counter[Fail] = Counter()

    def reset(self) -> None:
        """Be as at the start."""
        self.switches.reset()
        self.sessions.forget_all()
        self._turns.clear()

    def switch(self, *, on: Iterable[str], off: Iterable[str]) -> None:
        self.switches.change(on=on, off=off)
        self._turns.clear()

    def failure(self, call: str, faults: Iterable[Fault]) -> Fail | None:
        """How this call fails, if it is its turn to."""
        for fail in acts_of(Fail, faults):
            if fail.call == call:
                self._turns[fail] += 1
                if self._turns[fail] % fail.every == 0:
                    return fail
        return None


class Visit:
    """One request: its visitor, and the faults that are on for them."""

    def __init__(self, shop: Shop, connection: HTTPConnection) -> None:
        self._shop = shop
        self._known = shop.sessions.find(connection.cookies.get(SESSION_COOKIE))
        self._begun: Session | None = None
        self._asked = connection.query_params.getlist("fault")
        self._of_visitor = (
            asked_for(self._asked)
            if self._asked
            else from_cookie(connection.cookies.get(FAULTS_COOKIE, ""))
        )

    @property
    def session(self) -> Session:
        """What is known of the visitor; a new one is known from the first time this is asked."""
        if self._known:
            return self._known
        self._begun = self._begun or self._shop.sessions.begin()
        return self._begun

    @property
    def faults(self) -> list[Fault]:
        return self._shop.switches.active(self._of_visitor)

    def remember(self, response: Response) -> Response:
        """Leave the cookies that bring the same visitor and faults back."""
        if self._begun:
            _set_cookie(response, SESSION_COOKIE, self._begun.id)
        if self._asked:
            _set_cookie(response, FAULTS_COOKIE, to_cookie(self._of_visitor))
        return response


def _set_cookie(response: Response, name: str, value: str) -> None:
    response.set_cookie(name, value, httponly=True, samesite="lax")
