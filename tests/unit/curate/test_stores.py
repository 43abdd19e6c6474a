"""The memories of a home: what was moved is opened again, what is damaged is made again.

Nothing here can be lost: it is all derived. So damage is put aside, never mended in place.
"""

from __future__ import annotations

import json
import os
import random
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.curate.explicit import EXPLICIT
from tacit.curate.rebuild import content_digest
from tacit.curate.stores import MemoryStores
from tacit.curate.work import Curator, Tools
from tacit.errors import NotFound, SchemaNewer, StoreDamaged, StoreMoved
from tacit.transcript.ledgers import Ledgers
from unit.curate.saying import digest
from unit.pages import pages
from unit.transcript.events import NOON, event, fresh_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.transcript.files import Files

PAGE = 4096
TOOLS = Tools(
    extractor=EXPLICIT,
    digest=digest,
    now_ns=lambda: NOON + 1_000,
    random=os.urandom,
    erase=lambda _events: None,
)


class Home:
    """A home whose one group has a transcript, and whose memory is closed."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.file = files.directory / "memory.db"
        self.ledgers = Ledgers(files.home, now_ns=lambda: NOON, auto=True, keep=7)
        for number in range(1, 13):
            prompt = json.dumps({"prompt": f"Remember that number {number} counts."}).encode()
            said = event(number, body=prompt)
            reply = event(100 + number, kind="reply", turn=f"evt-{number}", body=b"{}")
            self.ledgers.held("main").append([said, reply], now_ns=NOON)

    @contextmanager
    def open(self) -> Iterator[MemoryStores]:
        """Open the memories as another program would."""
        stores = MemoryStores(self.ledgers, lambda: NOON)
        try:
            yield stores
        finally:
            stores.close()

    def curate(self, stores: MemoryStores) -> str:
        """Make memories of the transcript; return the digest of all that counts."""
        store = self.ledgers.get("main").store
        stores.ask("main", lambda memory: Curator(store, memory, TOOLS).work())
        return stores.ask("main", content_digest)

    def curated(self) -> str:
        """Make memories of the transcript and let go; return the digest of all that counts."""
        with self.open() as stores:
            return self.curate(stores)

    def aside(self) -> list[str]:
        """Return what was put aside."""
        return sorted(each.name for each in self.files.quarantine.rglob("*") if each.is_file())


@pytest.fixture
def home() -> Iterator[Home]:
    with fresh_files() as files:
        home = Home(files)
        yield home
        home.ledgers.close()


def counted(store: SqliteMemory) -> int:
    return sum(store.memories.counted().values())


def test_a_memory_lies_beside_its_transcript(home: Home) -> None:
    with home.open() as stores:
        assert stores.path("main") == home.file


def test_a_name_that_is_none_of_a_group_leads_nowhere(home: Home) -> None:
    with home.open() as stores, pytest.raises(NotFound):
        stores.get("../main")


def test_a_memory_is_opened_once(home: Home) -> None:
    with home.open() as stores:
        assert stores.get("main") is stores.get("main")


def test_what_was_let_go_is_opened_by_the_next_question(home: Home) -> None:
    with home.open() as stores:
        home.curate(stores)
        first = stores.get("main")

        for _ in range(2):
            stores.let_go("main")

        assert (stores.ask("main", counted), stores.get("main") is first) == (12, False)


def test_closed_memories_keep_no_file_open(home: Home) -> None:
    def descriptors() -> int:
        return len(list(Path("/dev/fd").iterdir()))

    home.ledgers.get("main")
    before = descriptors()

    home.curated()

    assert descriptors() == before


def test_a_trouble_of_the_question_is_told(home: Home) -> None:
    def broken(_store: SqliteMemory) -> None:
        raise LookupError("no such thing")

    with home.open() as stores, pytest.raises(LookupError):
        stores.ask("main", broken)


@pytest.mark.parametrize("trouble", [StoreDamaged, StoreMoved])
def test_a_trouble_that_stays_is_told(trouble: type[Exception], home: Home) -> None:
    def broken(_store: SqliteMemory) -> None:
        raise trouble("It stays so.")

    with home.open() as stores, pytest.raises(trouble, match="It stays so"):
        stores.ask("main", broken)


def test_a_memory_that_was_moved_is_not_written_to_and_is_made_again(home: Home) -> None:
    good = home.curated()
    with home.open() as stores:
        stores.get("main")
        before = home.file.read_bytes()
        moved = home.file.rename(home.file.with_name("elsewhere.db"))

        found = home.curate(stores)

        assert (found, moved.read_bytes() == before, home.aside()) == (good, True, [])


def test_a_memory_that_was_replaced_is_opened_again(home: Home) -> None:
    good = home.curated()
    copy = home.file.read_bytes()
    with home.open() as stores:
        stores.get("main")
        home.file.unlink()
        home.file.write_bytes(copy)

        found = home.curate(stores)

        assert (found, stores.ask("main", counted)) == (good, 12)


def test_a_memory_that_was_deleted_is_made_again(home: Home) -> None:
    good = home.curated()
    for each in home.file.parent.glob("memory.db*"):
        each.unlink()

    assert (home.curated(), home.aside()) == (good, [])


def test_a_memory_of_a_newer_program_is_refused_and_stays_as_it_is(home: Home) -> None:
    home.curated()
    raw = bytearray(home.file.read_bytes())
    raw[60:64] = (99).to_bytes(4)  # where SQLite keeps the version of the schema
    home.file.write_bytes(raw)

    with home.open() as stores, pytest.raises(SchemaNewer):
        stores.get("main")

    assert (home.file.read_bytes() == raw, home.aside()) == (True, [])


@pytest.mark.parametrize("size", [0, 1, 100, PAGE - 1, PAGE, 3 * PAGE, -1, -PAGE], ids=str)
def test_a_truncated_memory_is_the_same_in_the_end(size: int, home: Home) -> None:
    good = home.curated()
    home.file.write_bytes(home.file.read_bytes()[:size])

    with home.open() as stores:
        found = [home.curate(stores) for _ in range(2)]

    assert found[-1] == good


@pytest.mark.parametrize("garbage", [b"no database at all\n" * 500, b"\0" * 9000])
def test_what_is_no_database_is_put_aside_and_a_memory_made_again(
    garbage: bytes, home: Home
) -> None:
    good = home.curated()
    home.file.write_bytes(garbage)

    found = home.curated()

    assert (found, home.aside()) == (good, ["memory.db"])


def harmed(raw: bytes, how: str, page: int) -> bytes:
    """Return a file of which one page was harmed."""
    chance = random.Random(page)  # noqa: S311  (the same harm in every run)
    harm = bytearray(raw)
    begin = page * PAGE
    if how == "zeros":
        harm[begin : begin + PAGE] = bytes(PAGE)
    elif how == "noise":
        harm[begin : begin + PAGE] = chance.randbytes(PAGE)
    else:  # the first bytes say how the page is to be read
        for at in range(8):
            harm[begin + at] ^= 1 << chance.randrange(8)
    return bytes(harm)


@pytest.mark.parametrize("how", ["zeros", "noise", "bits"])
def test_whichever_page_is_harmed_the_memory_is_the_same_in_the_end(how: str, home: Home) -> None:
    good = home.curated()
    raw = home.file.read_bytes()

    found = set()
    for page in range(len(raw) // PAGE):
        for each in home.file.parent.glob("memory.db*"):
            each.unlink()
        home.file.write_bytes(harmed(raw, how, page))
        with home.open() as stores:
            found.add([home.curate(stores) for _ in range(2)][-1])

    assert found == {good}


def test_damage_that_shows_only_when_one_asks_is_put_aside(home: Home) -> None:
    home.curated()
    raw = home.file.read_bytes()
    home.file.write_bytes(raw.replace(b"number 7 counts", b"number \xff counts"))

    with home.open() as stores:
        found = [home.curate(stores) for _ in range(2)][-1]

    assert (found == home.curated(), home.aside()) == (True, ["memory.db"])


def test_what_is_open_and_harmed_is_put_aside_once(home: Home) -> None:
    good = home.curated()
    with home.open() as stores:
        stores.get("main")
        with home.file.open("r+b") as file:
            file.write(b"\0" * 9000)

        found = [home.curate(stores) for _ in range(3)]

    assert (found[-1], len(list(home.files.quarantine.iterdir()))) == (good, 1)


def test_at_rest_open_ones_let_their_pages_go_and_stay_open(home: Home) -> None:
    with home.open() as stores:
        home.curate(stores)
        store = stores.get("main")
        before = pages(home.file)

        stores.rest()

        assert pages(home.file) < before / 10
        assert stores.get("main") is store


def test_a_memory_that_was_deleted_is_let_go_before_anybody_asks(home: Home) -> None:
    with home.open() as stores:
        before = stores.get("main")
        stores.let_gone_go()
        kept = stores.get("main")
        home.file.unlink()

        stores.let_gone_go()

        assert (kept is before, stores.get("main") is before) == (True, False)
