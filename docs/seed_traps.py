"""Readers' traps: lines of the texts that mislead a reader, and what is right."""

BANDITRON = (
    "Algorithm 1: the indicator of the update's first term is of the played label; as"
    " printed, the update is biased (Lemma 4 has it right)",
    "Section 3: it explores with probability gamma, not 1 - gamma; an explored label is"
    " the greedy one again with probability 1/K",
    "Lemma 5, first case: 1 / P(y)^2 + 1; the lemma holds for gamma up to 1/2",
    "Lemma 6: a mistake leaves at most a share 1 - 1/K of the active set",
    "Theorem 8: entries of the projection are -1 or 1; uniform ones in (-1, 1) shrink"
    " squared norms to a third",
    "Corollary 2: gamma is below 1/2 only if T > 4 K D; Corollary 3: its order hides 1 / rho",
    "Figure 1, left: of any grid the lowest gamma is best on SYNSEP, since taking rows"
    " from wrong labels separates it without exploring",
)

DEKEL = (
    "The game starts at h_1 with V_1 = H, and V_t is about rounds before t",
    "The Perceptron's first prediction is +1 because sign(0) = +1; the product is 0, not 1",
    "Theorem 2, proof: the squared norm of the weights is at most M rho^2, not (M rho)^2",
)

HANAWAL = (
    "Theorem 13.1 needs the 2-norm of rows; with the printed largest entry it is false",
    "Algorithm 2: Winnow is updated with the true label, after mistakes alone, from equal weights",
    "Theorem 13.2: the logarithm is of the mean of exp(eta R) and exp(-eta R)",
    "Winnow's bound grows with the logarithm of the dimension: it suits many dimensions",
    "Halving halves the class at mistakes, not in every round; Exp3-IX explores implicitly",
)

BANDITBOOST = (
    "Equation 4 estimates the weights of equation 2 (the text names the wrong one)",
    "Equation 6 is inert at the paper's eta = delta^3 / K: voting weights stay equal in"
    " runs of a practical length",
    "Equation 4 divides by p: steps are rare, huge and heavy-tailed, so means over ten"
    " runs scatter",
    "Copies that start equal and err together stay equal: Algorithm 1 starts them at random",
    "Before Theorem 1: an error costs L / theta if y f is at most 0, not below theta;"
    " theta must be positive, and delta at most gamma",
    "Table 1 counts the columns of CAR and NURSERY before they are one-hot (21 and 27 after)",
    "CAR, NURSERY and CONNECT4 are sorted in their files: orders must be shuffled",
    "Table 2: the lowest of several means is biased low",
)

NOTES = (
    "The second indicator of both updates is of the greedy label, and that of Lemma 5 of"
    " a right one",
    "Bandit Halving removes, after a mistake, the hypotheses that agreed with the played label",
)
