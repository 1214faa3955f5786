"""A project's own noise: a TOML file of rules beside the ones everybody has."""

import os
import tomllib
from pathlib import Path

import msgspec
import re2
from msgspec import Struct

from gasoline.analysis.noise import NoiseRule, add_noise_rules

VARIABLE = "GASOLINE_NOISE"


class NoiseFileError(Exception):
    """The file cannot be used; the message says why and what to do."""


class NoiseFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What a file may hold: `[[noise]]` with `why`, and `url` or `message` or both."""

    noise: list[NoiseRule]


def read_noise_file(path: Path) -> list[NoiseRule]:
    """The rules of a file, each checked."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        rules = msgspec.convert(content, NoiseFile).noise
    except OSError as error:
        raise NoiseFileError(
            f"{path} cannot be read: {error.strerror}. Give --noise a TOML file of [[noise]] rules."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise NoiseFileError(
            f"{path} is not TOML: {error}. Each rule is a [[noise]] with why, and url or message."
        ) from error
    except msgspec.ValidationError as error:
        raise NoiseFileError(
            f"{path}: {error}. Each rule is a [[noise]] with why, and url or message."
        ) from error
    for number, rule in enumerate(rules, start=1):
        _check(path, number, rule)
    return rules


def use_noise_file(path: Path) -> None:
    """Judge by a file's rules too, in this process and in those that it starts."""
    add_noise_rules(read_noise_file(path))
    os.environ[VARIABLE] = str(path.resolve())


def _check(path: Path, number: int, rule: NoiseRule) -> None:
    if not rule.url and not rule.message:
        raise NoiseFileError(f"{path}: rule {number} has neither url nor message. Add one.")
    for pattern in filter(None, (rule.url, rule.message)):
        try:
            re2.compile(pattern)
        except re2.error as error:
            raise NoiseFileError(
                f"{path}: rule {number}: {pattern} is no regular expression of re2: {error}. "
                "Correct it; re2 has no look-around and no back-references."
            ) from error
