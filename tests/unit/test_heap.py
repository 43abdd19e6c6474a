"""The heap: what was freed goes back to the system, and threads have no heap of their own."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="only glibc holds on to what was freed"
)
# so many pieces that the allocator keeps them, and one at the end that holds them in place
FREED = """
import resource
from tacit import heap

def held():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() >> 20

pieces = [bytes(50_000) for _ in range(1000)]
del pieces[:-1]
before = held()
heap.give_back()
print(before - held())
"""
THREADS = """
import ctypes, threading
from tacit import heap

{first}
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
everyone = threading.Barrier(3)

def take():
    libc.malloc(1000)
    everyone.wait()

threads = [threading.Thread(target=take) for _ in range(3)]
for each in threads:
    each.start()
for each in threads:
    each.join()
libc.fopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fopen(b"/dev/stdout", b"w"))
libc.malloc_info(0, out)
libc.fclose(out)
"""


def told(program: str) -> str:
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    return ran.stdout.decode()


def test_what_was_freed_is_given_back() -> None:
    megabytes = int(told(FREED))

    assert megabytes > 30


@pytest.mark.parametrize(("first", "is_one"), [("heap.share()", True), ("", False)])
def test_threads_share_one_heap_when_they_are_told_to(first: str, *, is_one: bool) -> None:
    heaps = told(THREADS.format(first=first)).count("<heap ")

    assert (heaps == 1) == is_one
