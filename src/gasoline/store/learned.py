"""What was learned from records that may be gone by now: bounded, and each record learned once."""

from collections.abc import Hashable, Mapping
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Learned(Generic[K, V]):
    """Findings by name, and the number of the last record that went into them."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.up_to_seq = 0
        self._findings: dict[K, V] = {}

    @property
    def findings(self) -> Mapping[K, V]:
        return self._findings

    def learn(self, findings: Mapping[K, V], *, up_to_seq: int) -> None:
        """Take over what is known now; of too many, the last ones stay."""
        self._findings = dict(list(findings.items())[-self.limit :])
        self.up_to_seq = up_to_seq

    def forget(self) -> None:
        """Begin anew with what is learned next."""
        self._findings = {}
