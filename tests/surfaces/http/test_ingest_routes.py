"""Delivering to a real server: shapes, limits, numbering, answers."""

import contextlib
import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders import action, exchange, log, message
from tests.servers import LOOPBACK, PATIENCE_S, Answer, RunningServer, running_server
from tests.surfaces.http.asking import ask_own, mark, messages, post, post_logs, snapshot

MIB = 1024 * 1024
STREAMS = (
    ("/logs", "entries", log()),
    ("/websocket-events", "events", message()),
    ("/network-bodies", "bodies", exchange()),
    ("/enhanced-actions", "actions", action()),
    ("/performance-snapshots", "snapshots", {"url": "/home", "timing": {"load": 5.5}}),
    ("/dom-snapshots", "snapshots", {"url": "http://app/", "elements": []}),
)
IN_SNAPSHOT = {
    "/logs": "logs",
    "/websocket-events": "websocket_events",
    "/network-bodies": "network_bodies",
    "/enhanced-actions": "enhanced_actions",
    "/performance-snapshots": "performance",
}


def capture(server: RunningServer) -> Any:
    return server.request("GET", "/health").json["capture"]


@pytest.fixture
def cleared(server: RunningServer) -> RunningServer:
    """The shared server without memory of earlier losses."""
    server.request("POST", "/clear")
    return server


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[RunningServer]:
    with running_server(tmp_path) as running:
        yield running


# Shapes


@pytest.mark.parametrize(("route", "list_name", "entry"), STREAMS)
def test_a_batch_is_received(
    server: RunningServer, route: str, list_name: str, entry: dict[str, Any]
) -> None:
    answer = post(server, route, {list_name: [entry, entry]})

    assert (answer["received"], answer["rejected"]) == (2, 0)


@pytest.mark.parametrize(("route", "list_name", "entry"), STREAMS)
def test_an_empty_batch_is_fine(
    server: RunningServer, route: str, list_name: str, entry: dict[str, Any]
) -> None:
    answer = post(server, route, {list_name: []})

    assert (answer["received"], answer["rejected"]) == (0, 0)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{}", "Missing {list} array"),
        (b'{"{list}":null}', "Missing {list} array"),
        (b'{"other":[]}', "Missing {list} array"),
        (b"", "Invalid JSON"),
        (b"{", "Invalid JSON"),
        (b"not json", "Invalid JSON"),
        (b"\xff\xfe", "Invalid JSON"),
        (b'{"{list}":[{"a":"\xff"}]}', "Invalid JSON"),
        (b'{"{list}":[{"a":NaN}]}', "Invalid JSON"),
        (b'{"{list}":[{"a":Infinity}]}', "Invalid JSON"),
        (b'{"{list}":[{"a":1}]} x', "Invalid JSON"),
        (b'{"{list}":[{"a":1},]}', "Invalid JSON"),
        (b"[]", "Invalid JSON: Expected `object`, got `array`"),
        (b"null", "Invalid JSON: Expected `object`, got `null`"),
        (b'"text"', "Invalid JSON: Expected `object`, got `str`"),
        (b'{"{list}":{}}', "Invalid JSON: Expected `array | null`, got `object` - at `$.{list}`"),
        (b'{"{list}":7}', "Invalid JSON: Expected `array | null`, got `int` - at `$.{list}`"),
        *(
            (
                b'{"{list}":[%s]}' % element,
                "Invalid JSON: every element of {list} must be an object",
            )
            for element in (b"1", b"null", b'"text"', b"[]", b'{"level":"error","url":"u"},1')
        ),
    ],
    ids=repr,
)
@pytest.mark.parametrize(("route", "list_name"), [stream[:2] for stream in STREAMS])
def test_a_body_without_an_array_of_objects_is_refused_with_a_reason(
    server: RunningServer, route: str, list_name: str, body: bytes, reason: str
) -> None:
    answer = server.request("POST", route, body.replace(b"{list}", list_name.encode()))

    assert (answer.status, answer.json) == (400, {"error": reason.replace("{list}", list_name)})


def test_one_element_that_is_no_object_keeps_the_whole_batch_out(server: RunningServer) -> None:
    server.request("POST", "/logs", {"entries": [log(test_id="mixed"), 1], "test_id": "mixed"})

    assert snapshot(server, test_id="mixed")["logs"] == []


@pytest.mark.parametrize(
    ("route", "list_name", "needs"),
    [
        ("/logs", "entries", "level, message, args or type"),
        ("/websocket-events", "events", "event or id"),
        ("/network-bodies", "bodies", "url"),
        ("/enhanced-actions", "actions", "type"),
        ("/performance-snapshots", "snapshots", "url or timing"),
        ("/dom-snapshots", "snapshots", "url or elements"),
    ],
)
def test_an_entry_that_says_nothing_is_rejected_and_its_neighbours_are_kept(
    server: RunningServer, route: str, list_name: str, needs: str
) -> None:
    usable = next(stream[2] for stream in STREAMS if stream[0] == route)

    answer = post(server, route, {list_name: [usable, {"nothing": 1}, usable]})

    assert (answer["received"], answer["rejected"]) == (2, 1)
    assert answer["reason"] == f"an entry needs {needs}"


@pytest.mark.parametrize(
    "content_type",
    ["text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "", "image/png"],
)
def test_the_content_type_is_ignored(server: RunningServer, content_type: str) -> None:
    body = json.dumps({"entries": [log()]}).encode()

    answer = ask_own(server, "POST", "/logs", ("Content-Type", content_type), body=body)

    assert (answer.status, answer.json["received"]) == (200, 1)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "/logs"),
        ("GET", "/network-bodies"),
        ("GET", "/enhanced-actions"),
        ("GET", "/performance-snapshots"),
        ("GET", "/dom-snapshots"),
        ("DELETE", "/websocket-events"),
        ("PATCH", "/performance-snapshot"),
    ],
)
def test_a_method_a_route_does_not_have_is_refused(
    server: RunningServer, method: str, path: str
) -> None:
    answer = server.request(method, path)

    assert (answer.status, answer.json) == (405, {"error": "Method not allowed"})
    assert "POST" in answer.headers["allow"]


@pytest.mark.parametrize("path", ["/nope", "/logs/", "//logs", "/snapshot/x", "/%00"])
def test_an_unknown_path_is_a_json_404(server: RunningServer, path: str) -> None:
    answer = server.request("GET", path)

    assert (answer.status, answer.json) == (404, {"error": "Not found"})


# Fields


@pytest.mark.parametrize(
    ("route", "list_name", "snake", "camel"),
    [
        (
            "/network-bodies",
            "bodies",
            {"url": "/a", "request_body": "a", "response_body": "b", "content_type": "text/plain"},
            {"url": "/a", "requestBody": "a", "responseBody": "b", "contentType": "text/plain"},
        ),
        (
            "/enhanced-actions",
            "actions",
            {"type": "navigate", "from_url": "/a", "to_url": "/b", "selectors": {"css_path": "a"}},
            {"type": "navigate", "fromUrl": "/a", "toUrl": "/b", "selectors": {"cssPath": "a"}},
        ),
        (
            "/websocket-events",
            "events",
            {"event": "message", "id": "w", "tab_id": 3, "binary_format": "cbor"},
            {"event": "message", "id": "w", "tabId": 3, "binaryFormat": "cbor"},
        ),
        (
            "/performance-snapshots",
            "snapshots",
            {"url": "/s", "timing": {"dom_content_loaded": 1.5}, "long_tasks": {"count": 2}},
            {"url": "/s", "timing": {"domContentLoaded": 1.5}, "longTasks": {"count": 2}},
        ),
        ("/logs", "entries", {"level": "log", "tab_id": 4}, {"level": "log", "tabId": 4}),
    ],
)
def test_either_spelling_goes_in_and_camel_case_comes_out(
    server: RunningServer,
    route: str,
    list_name: str,
    snake: dict[str, Any],
    camel: dict[str, Any],
) -> None:
    times = {"ts": "2026-03-01T09:00:00.000Z"}
    test_id = f"spelling{route}"

    post(server, route, {list_name: [snake | times, camel | times], "test_id": test_id})

    expected = camel | times | {"test_id": test_id}
    assert snapshot(server, test_id=test_id)[IN_SNAPSHOT[route]] == [expected, expected]


def test_unknown_fields_and_floats_come_back_as_sent(server: RunningServer) -> None:
    entry = log(
        ts="2026-03-01T09:00:00Z",
        level="fatal",
        lineno=12.5,
        status="teapot",
        _context={"flow": {"step": 2}},
        snake_case_extra=[1, None, {"é": "\u2028"}],
        test_id="unknown fields",
    )

    post_logs(server, entry)

    assert snapshot(server, test_id="unknown%20fields")["logs"] == [entry]


@pytest.mark.parametrize("route", IN_SNAPSHOT)
def test_floats_where_whole_numbers_are_usual_are_taken(server: RunningServer, route: str) -> None:
    _, list_name, entry = next(stream for stream in STREAMS if stream[0] == route)
    floats = {"duration": 42.7, "status": 200.0, "size": 7.5, "code": 1006.0, "tabId": 3.0}

    answer = post(server, route, {list_name: [entry | floats]})

    assert answer["received"] == 1


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (rb"cut \ud83d", "cut \ufffd"),
        (rb"\ude00 cut", "\ufffd cut"),
        (rb"\ud83d\ud83d\ude00", "\ufffd\U0001f600"),
        (rb"\uD83D\uDE00 whole", "\U0001f600 whole"),
        (rb"\ud83d\n\\ud83d", "\ufffd\n\\ud83d"),
        (rb"\\\ud83d\u0041", "\\\ufffdA"),
    ],
)
def test_half_an_emoji_is_replaced_not_refused(
    server: RunningServer, sent: bytes, shown: str
) -> None:
    answer = server.request("POST", "/logs", b'{"entries":[{"message":"%s"}]}' % sent)

    assert (answer.status, answer.json["received"]) == (200, 1)
    assert snapshot(server)["logs"][-1]["message"] == shown


def test_repeated_keys_count_as_their_last(server: RunningServer) -> None:
    body = b'{"entries":[],"entries":[{"level":"info","level":"error"}],"test_id":"twice"}'

    server.request("POST", "/logs", body)

    assert snapshot(server, test_id="twice")["stats"]["error_count"] == 1


def test_secrets_do_not_come_back(server: RunningServer) -> None:
    secret = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"
    headers = {"authorization": f"Bearer {secret}"}

    post(server, "/network-bodies", {"bodies": [exchange(requestHeaders=headers)], "test_id": "s"})
    post_logs(server, log(message=f"token={secret}"), test_id="s")

    assert secret not in json.dumps(snapshot(server, test_id="s"))


def test_a_password_typed_comes_back_as_a_mark(server: RunningServer) -> None:
    typed = action(type="input", inputType="password", value="hunter2", test_id="pw")

    post(server, "/enhanced-actions", {"actions": [typed]})

    assert snapshot(server, test_id="pw")["enhanced_actions"][0]["value"] == "[redacted]"


def test_actions_and_vitals_in_the_log_queue_reach_their_own_lists(server: RunningServer) -> None:
    queued = [
        {"type": "GASOLINE_ENHANCED_ACTION", "payload": action(value="x")},
        {"type": "GASOLINE_WEB_VITALS", "payload": {"url": "/v", "timing": {"load": 1}}},
    ]

    post_logs(server, *queued, test_id="queue")

    seen = snapshot(server, test_id="queue")
    assert (len(seen["logs"]), len(seen["enhanced_actions"]), len(seen["performance"])) == (0, 1, 1)


# Sizes


@pytest.mark.parametrize("route", [stream[0] for stream in STREAMS])
def test_five_mebibytes_are_taken_and_a_byte_more_is_not(server: RunningServer, route: str) -> None:
    list_name = next(stream[1] for stream in STREAMS if stream[0] == route)
    empty = b'{"%s":[]}' % list_name.encode()
    largest = empty + b" " * (5 * MIB - len(empty))

    taken, refused = (server.request("POST", route, body) for body in (largest, largest + b" "))

    assert taken.status == 200
    assert (refused.status, refused.json) == (413, {"error": "Request body too large"})


def test_a_body_of_undeclared_size_is_measured_as_it_comes(server: RunningServer) -> None:
    chunks = [b'{"entries":[]', *[b" " * MIB] * 5, b"}"]
    connection = http.client.HTTPConnection(LOOPBACK, server.port, timeout=PATIENCE_S)

    with contextlib.closing(connection):
        connection.request("POST", "/logs", iter(chunks), encode_chunked=True)
        response = connection.getresponse()

        assert response.status == 413
        assert json.loads(response.read()) == {"error": "Request body too large"}


def test_an_entry_of_a_mebibyte_is_kept_and_a_byte_more_is_rejected(server: RunningServer) -> None:
    def entry_of(size: int) -> bytes:
        head = b'{"level":"log","message":"'
        return head + b"x" * (size - len(head) - 2) + b'"}'

    batch = b'{"test_id":"big","entries":[%s,%s]}' % (entry_of(MIB), entry_of(MIB + 1))

    answer = server.request("POST", "/logs", batch).json

    assert (answer["received"], answer["rejected"]) == (1, 1)
    assert answer["reason"] == f"an entry of {MIB + 1} bytes is over the limit of {MIB}"
    assert [len(text) for text in messages(server, test_id="big")] == [MIB - 28]


@pytest.mark.parametrize(("levels", "status"), [(500, 200), (100_000, 400)])
@pytest.mark.parametrize("secret", [b"", b',"password":"hunter2hunter2"'])
@pytest.mark.parametrize(
    ("route", "start"),
    [
        ("/logs", b'{"entries":[{"level":"log"'),
        ("/websocket-events", b'{"events":[{"event":"open","id":"deep"'),
        ("/performance-snapshots", b'{"snapshots":[{"url":"/deep"'),
        ("/performance-snapshot", b'{"url":"/deep"'),
    ],
)
def test_deep_nesting_is_taken_and_bottomless_nesting_refused(
    server: RunningServer, *, route: str, start: bytes, secret: bytes, levels: int, status: int
) -> None:
    nested = b'[{"a":' * (levels // 2) + b"1" + b"}]" * (levels // 2)
    end = b"}" if route == "/performance-snapshot" else b"}]}"

    answer = server.request("POST", route, start + secret + b',"args":' + nested + end)

    assert answer.status == status


@pytest.mark.parametrize("number", [b"1e999", b"-1e999", b"9" * 400, b"9" * 5000, b"1E-9999"])
@pytest.mark.parametrize("secret", [b"", b',"password":"hunter2hunter2"'])
@pytest.mark.parametrize(("route", "list_name", "entry"), STREAMS)
@pytest.mark.parametrize("field", [b"ts", b"status", b"code", b"tabId", b"other"])
def test_a_number_beyond_all_range_harms_nobody(
    server: RunningServer,
    *,
    route: str,
    list_name: str,
    entry: dict[str, Any],
    field: bytes,
    secret: bytes,
    number: bytes,
) -> None:
    whole = json.dumps(entry).encode()
    strange = whole[:-1] + b',"%s":%s%s}' % (field, number, secret)

    answer = server.request("POST", route, b'{"%s":[%s,%s]}' % (list_name.encode(), strange, whole))

    assert answer.status == 200
    assert answer.json["received"] + answer.json["rejected"] == 2
    assert answer.json["received"] >= 1


# Numbered batches


def test_the_answer_acknowledges_the_batch(server: RunningServer) -> None:
    answer = post_logs(server, log(), sender="acknowledged", batch=1, dropped=0)

    assert answer == {"received": 1, "rejected": 0, "ack": 1, "entries": answer["entries"]}


def test_a_repeated_batch_is_acknowledged_and_not_stored_twice(server: RunningServer) -> None:
    sent = {"sender": "repeats", "batch": 1, "test_id": "repeats"}
    first = post_logs(server, log(message="once"), **sent)

    again = post_logs(server, log(message="once"), **sent)

    assert (first["ack"], again["ack"], again["duplicate"]) == (1, 1, True)
    assert messages(server, test_id="repeats") == ["once"]


def test_a_refused_batch_is_not_taken_for_seen(server: RunningServer) -> None:
    sent = {"sender": "refused first", "batch": 1, "test_id": "refused first"}
    server.request("POST", "/logs", {"entries": [1], **sent})

    again = post_logs(server, log(message="mended"), **sent)

    assert "duplicate" not in again
    assert messages(server, test_id="refused%20first") == ["mended"]


def test_a_fresh_server_is_blind(fresh: RunningServer) -> None:
    seen = capture(fresh)

    assert seen["state"] == "blind"
    assert seen["why"] == "No browser has sent anything to this server yet."
    assert "gasoline doctor" in seen["next"]


def test_senders_without_numbers_are_complete_but_unverified(fresh: RunningServer) -> None:
    post_logs(fresh, log())

    assert capture(fresh) == {"state": "complete", "unverified": True}


def test_a_gap_is_partial_until_the_late_batch_arrives(cleared: RunningServer) -> None:
    for number in (1, 2, 5):
        post_logs(cleared, log(), sender="gaps", batch=number)
    with_gap = capture(cleared)
    post_logs(cleared, log(), sender="gaps", batch=4)
    with_smaller_gap = capture(cleared)
    post_logs(cleared, log(), sender="gaps", batch=3)

    assert (with_gap["state"], with_gap["why"]) == (
        "partial",
        "2 batches sent by a page never arrived.",
    )
    assert with_smaller_gap["why"] == "1 batch sent by a page never arrived."
    assert capture(cleared) == {"state": "complete"}


def test_what_a_page_dropped_is_told(cleared: RunningServer) -> None:
    post_logs(cleared, log(), sender="drops", batch=1, dropped=3)
    post_logs(cleared, log(), sender="drops", batch=2, dropped=7)

    assert capture(cleared)["why"] == "7 events dropped in the page before sending."


def test_what_was_rejected_is_told(cleared: RunningServer) -> None:
    post_logs(cleared, {"nothing": 1})

    assert capture(cleared)["why"] == "1 entry refused as unusable."


def test_clearing_forgives_losses_and_keeps_the_numbers(cleared: RunningServer) -> None:
    post_logs(cleared, log(), sender="cleared", batch=3, dropped=2)
    cleared.request("POST", "/clear")

    again = post_logs(cleared, log(), sender="cleared", batch=3, dropped=2)

    assert capture(cleared) == {"state": "complete"}
    assert again["duplicate"]


@pytest.mark.parametrize(
    "envelope",
    [
        {"sender": 7, "batch": 1},
        {"sender": "odd", "batch": "1"},
        {"sender": "odd", "batch": -1},
        {"sender": "odd", "batch": True},
        {"sender": "odd", "batch": 1.5},
        {"sender": "odd", "batch": 10**30},
        {"sender": "odd", "dropped": -5},
        {"sender": "", "batch": {}},
        {"sender": "x" * 10_000, "batch": 1},
        {"test_id": 7},
    ],
    ids=lambda envelope: repr(envelope)[:40],
)
def test_an_envelope_that_makes_no_sense_costs_no_entries(
    server: RunningServer, envelope: dict[str, Any]
) -> None:
    assert post_logs(server, log(), **envelope)["received"] == 1


# Several at once


def lines(*batches: tuple[str, dict[str, Any]]) -> bytes:
    return b"\n".join(route.encode() + json.dumps(batch).encode() for route, batch in batches)


def post_lines(server: RunningServer, body: bytes) -> Answer:
    return ask_own(server, "POST", "/batches", ("Content-Type", "text/plain"), body=body)


def test_one_request_may_bring_a_batch_of_each_stream(cleared: RunningServer) -> None:
    body = lines(*((route, {list_name: [entry]}) for route, list_name, entry in STREAMS))

    answer = post_lines(cleared, body)

    assert (answer.status, answer.json) == (200, {"received": 6, "rejected": 0})
    kept = snapshot(cleared)
    assert {name: len(kept[name]) for name in IN_SNAPSHOT.values()} == dict.fromkeys(
        IN_SNAPSHOT.values(), 1
    )


def test_each_line_names_its_own_test_and_numbers(cleared: RunningServer) -> None:
    numbered = {"sender": "lines", "batch": 1, "test_id": "first", "entries": [log(message="a")]}
    body = lines(("/logs", numbered), ("/logs", {"test_id": "b", "entries": [log(message="b")]}))

    post_lines(cleared, body)
    again = post_lines(cleared, body)

    assert again.json == {"received": 2, "rejected": 0}
    assert messages(cleared, test_id="first") == ["a"]
    assert messages(cleared, test_id="b") == ["b", "b"]


@pytest.mark.parametrize(
    "line",
    [b"", b"/logs", b"/logs[]", b"/clear{}", b'/test-boundary{"test_id":"x"}', b"\xff{}", b"{}"],
)
def test_a_line_that_is_no_batch_is_refused_and_the_others_are_taken(
    cleared: RunningServer, line: bytes
) -> None:
    before, after = (lines(("/logs", {"entries": [log(message=name)]})) for name in ("a", "b"))

    answer = post_lines(cleared, b"\n".join([before, line, after]))

    reason = "Each line must be a route of batches and a JSON object"
    assert (answer.status, answer.json) == (400, {"error": reason, "taken": 2})
    assert messages(cleared) == ["a", "b"]


def test_a_line_without_its_list_is_refused_as_its_route_would(cleared: RunningServer) -> None:
    answer = post_lines(cleared, b"/network-bodies{}\n" + lines(("/logs", {"entries": [log()]})))

    assert (answer.status, answer.json) == (400, {"error": "Missing bodies array", "taken": 1})
    assert len(messages(cleared)) == 1


def test_lines_that_come_too_fast_are_sent_again_and_kept_once(cleared: RunningServer) -> None:
    entry = {"sender": "fast", "batch": 1, "entries": [log(message="kept once")]}
    flood = {"sender": "fast", "batch": 2, "actions": [{"type": "x"}] * 10_001}
    body = lines(("/logs", entry), ("/enhanced-actions", flood))

    answers = [post_lines(cleared, body) for _ in range(2)]

    assert [(answer.status, answer.json["taken"]) for answer in answers] == [(429, 1), (429, 1)]
    assert messages(cleared) == ["kept once"]


def test_a_driver_tells_of_several_pages_and_where_tests_start_and_end(
    cleared: RunningServer,
) -> None:
    body = b"\n".join(
        [
            b'/test-boundary{"test_id":"told","action":"start"}',
            b"/logs http://one.example" + json.dumps({"entries": [log(message="a")]}).encode(),
            b'/logs{"entries":[{"level":"info","message":"b"}]}',
            b'/test-boundary{"test_id":"told","action":"end","status":"passed"}',
            b'/logs{"test_id":"next","entries":[{"level":"info","message":"c"}]}',
        ]
    )

    answer = ask_own(cleared, "POST", "/evidence", body=body)

    assert (answer.status, answer.json) == (200, {"received": 3, "rejected": 0})
    assert messages(cleared, test_id="told") == ["a", "b"]
    told = [t for t in cleared.request("GET", "/tests").json["tests"] if t["test_id"] == "told"]
    assert [test["status"] for test in told] == ["passed"]


@pytest.mark.parametrize("line", [b"", b"/logs", b"/clear{}", b"/logs http://a.example", b"\xff{}"])
def test_a_driver_tells_nothing_else(cleared: RunningServer, line: bytes) -> None:
    answer = ask_own(cleared, "POST", "/evidence", body=line)

    reason = (
        "Each line must be a route of batches, with a space and an origin or without, or "
        "/test-boundary, and a JSON object"
    )
    assert (answer.status, answer.json) == (400, {"error": reason, "taken": 0})


def test_a_page_is_no_driver(server: RunningServer) -> None:
    body = b'/test-boundary{"test_id":"forged","action":"start"}'

    answer = ask_own(server, "POST", "/evidence", ("Origin", "http://page.example"), body=body)

    assert answer.status == 403


# Rate


def test_over_ten_thousand_events_in_a_second_are_refused(server: RunningServer) -> None:
    flood = {"actions": [{"type": "x"}] * 10_001, "sender": "flood", "batch": 1}

    answer = server.request("POST", "/enhanced-actions", flood)

    assert (answer.status, answer.headers["retry-after"]) == (429, "1")
    assert answer.json == {
        "error": "rate_limited",
        "message": "Over 10000 events in one second: wait, then send again.",
        "retry_after_ms": 1000,
        "threshold": 10_000,
        "circuit_open": False,
    }


def test_logs_are_never_refused_for_their_rate(server: RunningServer) -> None:
    assert post_logs(server, *[{"level": "log"}] * 20_001)["received"] == 20_001


def test_a_refused_batch_is_taken_when_sent_again_and_others_are_not_held_up(
    server: RunningServer,
) -> None:
    def send(sender: str, number: int) -> int:
        batch = {"actions": [{"type": "x"}] * 6000, "sender": sender, "batch": number}
        return server.request("POST", "/enhanced-actions", batch).status

    number = 1
    # Two batches of one second do not fit; a third of the next one may come between them.
    while send("busy", number) == 200:
        number += 1
        assert number < 10
    neighbour = send("calm", 1)
    while (status := send("busy", number)) == 429:
        pass

    assert (neighbour, status) == (200, 200)
    assert server.request("POST", "/logs", {"entries": [], "sender": "busy", "batch": number}).json[
        "duplicate"
    ]


# The older reads


def test_logs_are_listed_oldest_first(cleared: RunningServer) -> None:
    first, second = log(message="first", ts=1), log(message="second", ts=2)
    post_logs(cleared, first, second)

    assert cleared.request("GET", "/logs").json == {"entries": [first, second], "count": 2}


def test_deleting_logs_leaves_everything_else(cleared: RunningServer) -> None:
    post_logs(cleared, log())
    post(cleared, "/network-bodies", {"bodies": [exchange()]})

    answer = cleared.request("DELETE", "/logs")

    stats = snapshot(cleared)
    assert answer.json == {"cleared": True}
    assert (len(stats["logs"]), len(stats["network_bodies"])) == (0, 1)


def test_the_newest_fifty_events_are_listed_newest_first(cleared: RunningServer) -> None:
    post(cleared, "/websocket-events", {"events": [message(size=n) for n in range(60)]})

    answer = cleared.request("GET", "/websocket-events").json

    assert [event["size"] for event in answer["events"]] == list(range(59, 9, -1))
    assert answer["count"] == 50


def test_the_answer_to_logs_counts_all_entries(cleared: RunningServer) -> None:
    post_logs(cleared, log())

    assert post_logs(cleared, log(), log()) == {"received": 2, "rejected": 0, "entries": 3}


# Performance


def test_a_single_snapshot_teaches_the_baseline(cleared: RunningServer) -> None:
    first = {"url": "/p", "timing": {"load": 100.0}, "network": {"requestCount": 14}}
    second = {"url": "/p", "timing": {"load": 200.0}, "network": {"requestCount": 15}}

    answers = [post(cleared, "/performance-snapshot", sent) for sent in (first, second)]

    shown = cleared.request("GET", "/performance-snapshot?url=/p").json
    assert answers == [{"received": True, "baseline_updated": True}] * 2
    assert shown["snapshot"]["timing"] == {"load": 200.0}
    assert shown["baseline"]["sampleCount"] == 2
    assert shown["baseline"]["snapshot"]["timing"] == {"load": 150.0}
    assert shown["baseline"]["snapshot"]["network"]["requestCount"] == 14.5


def test_several_snapshots_say_how_many(cleared: RunningServer) -> None:
    snapshots = [{"url": "/p", "timing": {}}, {"url": "/q", "timing": {}}]

    answer = post(cleared, "/performance-snapshots", {"snapshots": snapshots})

    assert answer == {"received": 2, "rejected": 0, "baseline_updated": True}


def test_a_batch_that_taught_nothing_says_so(cleared: RunningServer) -> None:
    answer = post(cleared, "/performance-snapshots", {"snapshots": [{}]})

    assert answer["baseline_updated"] is False


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{}", "an entry needs url or timing"),
        (b"[]", "Invalid JSON"),
        (b"", "Invalid JSON"),
        (b'{"url":"/a"}],"sender":"smuggled","batch":[1', "Invalid JSON"),
        (b'{"url":"/a"},{"url":"/b"}', "Invalid JSON"),
    ],
)
def test_what_is_no_snapshot_is_refused(server: RunningServer, body: bytes, reason: str) -> None:
    answer = server.request("POST", "/performance-snapshot", body)

    assert (answer.status, answer.json) == (400, {"error": reason})


def test_without_snapshots_there_is_nothing_to_show(cleared: RunningServer) -> None:
    answer = cleared.request("GET", "/performance-snapshot?url=/none")

    assert answer.json == {"snapshot": None, "baseline": None}


def test_deleting_performance_forgets_all_of_it(cleared: RunningServer) -> None:
    post(cleared, "/performance-snapshot", {"url": "/gone", "timing": {"load": 1}})

    answer = cleared.request("DELETE", "/performance-snapshot")

    assert answer.json == {"cleared": True}
    assert cleared.request("GET", "/performance-snapshot").json["snapshot"] is None
    assert "performance" not in snapshot(cleared)


# Which test a record belongs to


@pytest.mark.parametrize(
    ("entry", "envelope", "header", "query", "owner"),
    [
        ({"test_id": "own"}, {"test_id": "batch"}, "header", "query", "own"),
        ({"testId": "own"}, {"test_id": "batch"}, "header", "query", "own"),
        ({"metadata": {"testId": "own"}}, {"test_id": "batch"}, "header", "query", "own"),
        ({"metadata": {"test_id": "own"}}, {}, "", "", "own"),
        ({"test_id": ""}, {"test_id": "batch"}, "header", "query", "batch"),
        ({"test_id": 7, "metadata": []}, {"test_id": "batch"}, "", "", "batch"),
        ({}, {}, "header", "query", "header"),
        ({}, {"test_id": ""}, "", "query", "query"),
        ({}, {"test_id": "x" * 4097}, "", "", "active"),
        ({}, {}, "", "", "active"),
    ],
)
def test_the_nearest_word_about_its_test_wins(
    cleared: RunningServer,
    *,
    entry: dict[str, Any],
    envelope: dict[str, Any],
    header: str,
    query: str,
    owner: str,
) -> None:
    mark(cleared, "active", "start")
    body = json.dumps({"entries": [log(**entry)], **envelope}).encode()

    path = f"/logs?test_id={query}" if query else "/logs"
    ask_own(cleared, "POST", path, ("X-Gasoline-Test-Id", header), body=body)

    shown = snapshot(cleared)["logs"]
    mark(cleared, "active", "end")
    assert [shown_entry["test_id"] for shown_entry in shown] == [owner]


def test_a_header_may_name_a_test_in_any_script(server: RunningServer) -> None:
    name = "größe: prüft 日本"
    body = json.dumps({"entries": [log()]}).encode()

    sent = ("X-Gasoline-Test-Id", name.encode().decode("latin-1"))
    ask_own(server, "POST", "/logs", sent, body=body)

    assert [entry["test_id"] for entry in snapshot(server)["logs"]][-1] == name
