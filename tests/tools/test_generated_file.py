"""Generated files are never cut: they are whole in the answer, or whole on disk."""

import os
from pathlib import Path

import pytest

from gasoline.tools.generated_file import (
    FILES_KEPT,
    FIRST_LINES,
    INLINE_BYTES,
    GeneratedFile,
    hand_over,
)

LONG = "line\n" * (INLINE_BYTES // 5 + 1)


def test_a_text_up_to_the_limit_is_in_the_answer(tmp_path: Path) -> None:
    text = "x" * INLINE_BYTES

    handed = hand_over(text, name="a.json", folder=tmp_path)

    assert handed == GeneratedFile(name="a.json", size_bytes=INLINE_BYTES, content=text)
    assert list(tmp_path.iterdir()) == []


def test_a_longer_one_is_written_and_the_answer_says_where_and_how_it_begins(
    tmp_path: Path,
) -> None:
    handed = hand_over(LONG, name="a.json", folder=tmp_path / "new")

    path = tmp_path / "new" / "a.json"
    assert handed == GeneratedFile(
        name="a.json", size_bytes=len(LONG), path=str(path), first_lines=["line"] * FIRST_LINES
    )
    assert path.read_text() == LONG
    assert path.stat().st_mode & 0o777 == 0o600


def test_size_is_counted_in_bytes(tmp_path: Path) -> None:
    handed = hand_over("ü" * INLINE_BYTES, name="a.txt", folder=tmp_path)

    assert (handed.size_bytes, handed.content) == (2 * INLINE_BYTES, None)


def test_a_caller_may_ask_for_more_in_the_answer(tmp_path: Path) -> None:
    at_the_limit = hand_over(LONG, name="a", folder=tmp_path, inline_bytes=len(LONG))
    past_it = hand_over(LONG, name="a", folder=tmp_path, inline_bytes=len(LONG) - 1)

    assert at_the_limit.content == LONG
    assert past_it.path == str(tmp_path / "a")


def test_without_a_folder_to_write_to_the_answer_holds_the_text(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert hand_over(LONG, name="a", folder=None).content == LONG
    assert hand_over(LONG, name="a", folder=tmp_path / "file").content == LONG


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd", "etc-passwd"),
        ("cart: it's\x00 <b>.spec.ts", "cart-it-s-b-.spec.ts"),
        ("...", "generated"),
        ("x" * 100 + ".json", "x" * 75 + ".json"),
    ],
)
def test_a_name_from_a_page_stays_in_the_folder(tmp_path: Path, name: str, safe: str) -> None:
    assert hand_over(LONG, name=name, folder=tmp_path).path == str(tmp_path / safe)


def test_only_the_newest_files_are_kept(tmp_path: Path) -> None:
    for number in range(FILES_KEPT):
        (tmp_path / f"old-{number}").touch()
        os.utime(tmp_path / f"old-{number}", (number, number))

    hand_over(LONG, name="new", folder=tmp_path)

    assert len(list(tmp_path.iterdir())) == FILES_KEPT
    assert not (tmp_path / "old-0").exists()
