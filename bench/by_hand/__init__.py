"""Loops written by hand, one file each: what composing verbs may cost at most.

Each does in one function what onebit puts together from a learner, an explorer
and the engine, with the same draws, so that it makes exactly the same mistakes.
Nothing is shared with onebit: not even chance. A file has `loop` and `own`, which
picks the loop's arguments, after the common ones (the arrays of the rows, truths,
first, missed), out of a player that has seen nothing.
"""

from bench.by_hand import banditboost, banditron, cova, exp4, perceptron

LOOPS = {
    module.__name__.rpartition(".")[2]: module
    for module in (perceptron, banditron, cova, banditboost, exp4)
}
