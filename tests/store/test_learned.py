"""What was learned from records that may be gone by now."""

from gasoline.store.learned import Learned


def test_findings_up_to_the_limit_stay_and_one_more_pushes_out_the_first() -> None:
    table = Learned[str, int](2)

    table.learn({"a": 1, "b": 2}, up_to_seq=7)
    assert (dict(table.findings), table.up_to_seq) == ({"a": 1, "b": 2}, 7)

    table.learn({"a": 1, "b": 2, "c": 3}, up_to_seq=8)
    assert dict(table.findings) == {"b": 2, "c": 3}


def test_what_was_forgotten_is_not_learned_again() -> None:
    learned = Learned[str, int](2)
    learned.learn({"a": 1}, up_to_seq=7)

    learned.forget()

    assert (dict(learned.findings), learned.up_to_seq) == ({}, 7)
