"""Prefetch: the same items, and an end to waiting."""

import gc
import os
import signal
import threading

import pytest

from onebit import BadInput
from onebit.streams.reading import stdin
from onebit.streams.reading.prefetch import Prefetch

MAIN_THREAD = threading.main_thread().ident


def test_prefetched_items_are_the_same_and_errors_come_in_their_place():
    def items():
        yield 1
        yield 2
        raise BadInput("no.")

    seen = []
    with pytest.raises(BadInput):
        seen.extend(Prefetch(items()))
    made = Prefetch(items())
    assert [next(made), next(made)] == [1, 2]


def test_a_caller_that_stops_ends_the_other_thread_too():
    closed = threading.Event()

    def items():
        try:
            while True:
                yield 1
        finally:
            closed.set()

    made = Prefetch(items())
    next(made)
    made.close()
    assert closed.is_set()
    assert not any(thread.name == "onebit-prefetch" for thread in threading.enumerate())


def test_the_garbage_collector_does_not_wait_for_the_thread():
    """It may run in any thread, under any lock: once it hung as another thread was starting."""
    going_on, closed = threading.Event(), threading.Event()

    def items():
        try:
            yield 1
            going_on.wait()
            yield 2
        finally:
            closed.set()

    holder = [Prefetch(items())]
    holder.append(holder)
    assert next(holder[0]) == 1
    del holder
    gc.collect()
    assert not closed.is_set()
    going_on.set()
    assert closed.wait(5)


def test_waiting_for_standard_input_ends_when_the_user_interrupts():
    read_end, write_end = os.pipe()
    with os.fdopen(read_end, "rb") as file, os.fdopen(write_end, "wb", buffering=0) as pipe:
        pipe.write(b"1 | a\n2 |")
        reader = stdin.StdinReader(file)
        assert reader.peek(4) == b"1 | "
        stdin.interrupted.set()
        try:
            assert reader.read(1000) == b"1 | "
        finally:
            stdin.interrupted.clear()
        pipe.write(b" b\n")
        pipe.close()
        assert reader.read(1000) == b"a\n2 | b\n"


def test_an_interrupt_does_not_wait_for_standard_input():
    read_end, write_end = os.pipe()
    with os.fdopen(read_end, "rb") as file, os.fdopen(write_end, "wb", buffering=0) as pipe:
        pipe.write(b"1")
        reader = stdin.StdinReader(file)

        def items():
            while part := reader.read(1):
                yield part

        made = Prefetch(items())
        interrupt = threading.Timer(0.1, signal.pthread_kill, [MAIN_THREAD, signal.SIGINT])
        try:
            assert next(made) == b"1"
            interrupt.start()
            with pytest.raises(KeyboardInterrupt):
                next(made)  # the other thread waits for a second byte
            assert not stdin.interrupted.is_set()  # only while the other thread was ending
        finally:
            stdin.interrupted.clear()
