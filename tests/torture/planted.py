"""A target with planted faults: by its number, a case is right, wrong, too long, or deadly."""

import os
import signal
import time

from onebit import BadInput


class Target:
    def make(self, random):
        return random.choice(["good", "refused", "two\nlines", "bug", "crash", "hang"]) + "!" * 40

    def run(self, case):
        if "refused" in case:
            raise BadInput("planted: a case must not be refused, got it.")
        if "two" in case:
            raise BadInput("planted: no sentence")
        if "bug" in case:
            raise KeyError("planted")
        if "crash" in case:
            os.kill(os.getpid(), signal.SIGSEGV)
        if "hang" in case:
            time.sleep(1000)

    def smaller(self, case):
        for n in range(len(case)):
            yield case[:n] + case[n + 1 :]
