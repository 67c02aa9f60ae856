"""Loops written by hand, one file each: the speed that composed kernels are measured against.

Each does in one function what onebit composes from a learner, an explorer and the engine,
with the same random draws, so that it makes exactly the same mistakes. No code is shared
with onebit, not even the random generator. A file has `loop`, and `own`, which returns the
loop's own arguments (those after the rows' arrays, truths, first and missed) from a player
in its initial state.
"""

from bench.by_hand import arow, auto, banditboost, banditron, cova, exp4, perceptron, soba, softmax

LOOPS = {
    module.__name__.rpartition(".")[2]: module
    for module in (perceptron, banditron, cova, banditboost, exp4, arow, soba, softmax, auto)
}
