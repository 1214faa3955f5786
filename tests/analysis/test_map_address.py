"""Where a script says that its map is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gasoline.analysis.map_address import TAIL_BYTES, find_map_address, read_data_address


@pytest.mark.parametrize(
    ("script", "address"),
    [
        (b"f()\n//# sourceMappingURL=a.js.map", "a.js.map"),
        (b"f()\n//# sourceMappingURL=a.js.map\n\n", "a.js.map"),
        (b"f()//@ sourceMappingURL=a.js.map", "a.js.map"),
        (b"f()/*# sourceMappingURL=a.js.map */", "a.js.map"),
        (b"//# sourceMappingURL=old.map\n//# sourceMappingURL=new.map", "new.map"),
        (b"//# sourceMappingURL=a.map\n//# sourceURL=a.js\n/* bye */", "a.map"),
        (b"//# sourceMappingURL=a.map\nf()", None),
        (b'eval("f()\\n//# sourceMappingURL=a.map\\n")', None),
        (b"let x = 'sourceMappingURL=a.map'", None),
        (b"//# sourceMappingURL=", None),
        (b"", None),
        (b"//# sourceMappingURL=a.map\n" + b" " * TAIL_BYTES, None),
        (b"//# sourceMappingURL=a.map" + b" " * TAIL_BYTES, "a.map"),
    ],
)
def test_the_last_comment_names_the_map(script: bytes, address: str | None) -> None:
    assert find_map_address(script, {}) == address


def test_a_header_outranks_the_comment() -> None:
    script = b"//# sourceMappingURL=comment.map"

    assert find_map_address(script, {"sourcemap": "header.map"}) == "header.map"
    assert find_map_address(script, {"x-sourcemap": "older.map"}) == "older.map"


@pytest.mark.parametrize(
    ("address", "content"),
    [
        ("data:application/json;base64,e30=", b"{}"),
        ("data:application/json;charset=utf-8;base64,e30%3D", b"{}"),
        ("data:application/json,%7B%7D", b"{}"),
        ("data:application/json;base64,e30", None),
        ("data:application/json;base64,é", None),
        ("data:nothing", None),
        ("app.js.map", None),
    ],
)
def test_a_data_address_holds_the_map_itself(address: str, content: bytes | None) -> None:
    assert read_data_address(address) == content


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_script_is_looked_at(tail: bytes) -> None:
    find_map_address(b"//# sourceMappingURL=" + tail, {})
    read_data_address("data:;base64," + tail.decode("latin-1"))
