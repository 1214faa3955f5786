"""The examples in the documentation are answers to a real visit, and stay so.

An example is a file `docs/examples/<tool>.json` with the arguments of a call. With
GASOLINE_RECORD_EXAMPLES=1 the answers are written into the files; else they are compared.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from gasoline.analysis.shape import shape_of
from gasoline.analysis.shape_differences import find_differences
from gasoline.tools.registry import all_tools
from tests.servers import wait_until
from tests.visits.visit import Visit

FOLDER = Path(__file__).parents[2] / "docs" / "examples"
RECORDS = bool(os.environ.get("GASOLINE_RECORD_EXAMPLES"))
SHOP = "127.0.0.1:7970"
STATE_FOLDER = "~/.local/state/gasoline"


def in_order(file: Path) -> tuple[bool, bool, str]:
    """What only looks first, what forgets last."""
    changes = not all_tools()[file.stem].read_only
    return changes, file.stem.startswith("clear"), file.stem


EXAMPLES: list[Path] = sorted(FOLDER.glob("*.json"), key=in_order)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_the_documented_answer_is_what_the_tool_answers(visit: Visit, file: Path) -> None:
    example = json.loads(file.read_text(encoding="utf-8"))
    wait_until(lambda: answers_questions(visit), "the page to answer")

    answer = read(anywhere(visit, visit.call(file.stem, **example["arguments"])))

    if RECORDS:
        recorded = {"arguments": example["arguments"], "answer": answer}
        written = json.dumps(recorded, indent=1, ensure_ascii=False)
        file.write_text(f"{written}\n", encoding="utf-8")
    else:
        assert departures(example["answer"], answer) == []


def answers_questions(visit: Visit) -> bool:
    question = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "get_page_info", "arguments": {}},
    }
    return not visit.server.request("POST", "/mcp", question).json["result"].get("isError")


def anywhere(visit: Visit, text: str) -> str:
    """The answer as it would be on the reader's machine."""
    return text.replace(f"127.0.0.1:{visit.shop.port}", SHOP).replace(
        str(visit.server.state_folder), STATE_FOLDER
    )


def read(text: str) -> Any:
    return json.loads(text) if text.startswith("{") else text


def departures(documented: Any, answered: Any) -> list[str]:
    """Fields of another type, or gone from the top; what is below differs with the visit."""
    return [
        f"{found.field}: {found.expected} -> {found.actual}"
        for found in find_differences(shape_of(documented), shape_of(answered))
        if found.departure == "type" or (found.departure == "missing" and len(found.path) == 1)
    ]
