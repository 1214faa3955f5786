"""Where pictures are developed: large ones in a process whose memory goes with it."""

import subprocess
import sys

import msgspec
from msgspec import Struct

from gasoline.ingest.picture import Developed, count_pixels, develop
from gasoline.ingest.refusal import RefusedBatch

# What a window shows, 1280 px wide; starting a process takes longer than developing that.
SMALL_PIXELS = 1_500_000
PATIENCE_S = 60.0
# Not with the current folder on the path: whatever lies there is not our code.
COMMAND = (sys.executable, "-P", "-m", "gasoline.ingest.darkroom")


class _Refused(Struct, frozen=True, tag="refused"):
    reason: str


class _Done(Struct, frozen=True, tag="done"):
    developed: Developed


_decoder: msgspec.msgpack.Decoder[_Done | _Refused] = msgspec.msgpack.Decoder(_Done | _Refused)


def develop_sparingly(sent: bytes) -> Developed:
    """As `develop`, without the server's memory growing by what a large picture takes."""
    return develop(sent) if count_pixels(sent) <= SMALL_PIXELS else _develop_apart(sent)


def _develop_apart(sent: bytes) -> Developed:
    try:
        finished = subprocess.run(
            COMMAND, input=sent, capture_output=True, check=True, timeout=PATIENCE_S
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise RefusedBatch(
            "The picture could not be made smaller here: capture a smaller part of the page"
        ) from error
    answer = _decoder.decode(finished.stdout)
    if isinstance(answer, _Refused):
        raise RefusedBatch(answer.reason)
    return answer.developed


def _answer(sent: bytes) -> _Done | _Refused:
    try:
        return _Done(develop(sent))
    except RefusedBatch as refused:
        return _Refused(refused.reason)


def main() -> None:
    """Develop what comes on the standard input."""
    sys.stdout.buffer.write(msgspec.msgpack.encode(_answer(sys.stdin.buffer.read())))


if __name__ == "__main__":
    main()
