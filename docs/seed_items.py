"""Every item of the texts that onebit is built on: where it is here, and what shows it.

An item is shown by a test, `file::function`, or by a command of onebit. Numbered items are
named as in their text, so that a test can find the ones that are missing.
"""

from __future__ import annotations

from typing import NamedTuple

import seed_traps

KINDS = (
    "algorithm", "theorem", "definition", "data set", "figure", "table", "experiment", "claim",
    "extension", "open problem",
)  # fmt: skip


class Item(NamedTuple):
    """An item of a text: its kind, its name there, the file that has it, and what shows it."""

    kind: str
    name: str
    place: str
    shown: str


class Text(NamedTuple):
    """A text: its reference, the numbers of its numbered items, its items, and its traps.

    A trap is a line that misleads a reader, and what is right.
    """

    reference: str
    numbered: dict[str, tuple[int | str, ...]]
    items: tuple[Item, ...]
    traps: tuple[str, ...] = ()


_ORACLE = "tests/oracles/test_oracles.py::test_learner_equals_its_oracle_on_an_easy_stream"
_LEMMAS = "tests/oracles/test_lemmas.py::"
_SPACES = "tests/theory/test_version_spaces.py::"
_COVERS = "tests/theory/test_covers.py::"
_REGRET = "tests/theory/test_regret_bounds.py::"
_BOOST = "tests/oracles/test_boosting.py::"
_BOUNDS = "tests/unit/test_bounds.py::"
_BINARY = "tests/unit/test_binary.py::"
_CLAIMS = "onebit/experiment/papers/_banditron_claims.py"
_CLAIMS_2014 = "onebit/experiment/papers/_banditboost_claims.py"
_THEORY = "onebit/experiment/papers/theory.py"
_BANDITBOOST = "onebit/theory/boosting.py"
_NEEDS = "onebit bound banditboost labels=3 advantage=0.1 error=0.2"

BANDITRON = Text(
    "Kakade, Shalev-Shwartz and Tewari, Efficient bandit algorithms for online multiclass"
    " prediction, ICML 2008",
    {
        "Equation": (1, 2, 3, 4, 5, 6, 7, 8, 9),
        "Algorithm": (1,),
        "Theorem": (1, 7, 8),
        "Corollary": (2, 3),
        "Lemma": (4, 5, 6),
        "Figure": (1,),
    },
    (
        Item("definition", "Problem setting: rounds, one bit of feedback, mistakes M",
             "onebit/kernel/engine.py", "onebit play synsep banditron --rounds 1000"),
        Item("definition", "Several right labels in a round, or none",
             "onebit/streams/transforms/multilabel.py",
             "tests/streams/test_multilabel.py::test_all_none_and_twice"),
        Item("definition", "Equation 1: linear hypotheses, argmax of W x",
             "onebit/hypotheses/linear.py",
             "tests/unit/test_hypotheses.py::"
             "test_linear_hypotheses_predict_the_label_of_the_highest_score"),
        Item("algorithm", "Equation 2: the multiclass Perceptron (Kesler's construction)",
             "onebit/learners/perceptron.py", _ORACLE),
        Item("algorithm", "Equation 3: the Perceptron's update U", "onebit/learners/perceptron.py",
             "tests/oracles/test_oracles.py::test_sparse_rows_of_synsep_equal_the_oracle_too"),
        Item("definition", "Equation 4: multiclass hinge loss and margin",
             "onebit/theory/comparator.py", f"{_BOUNDS}test_the_measure_of_weights"),
        Item("definition", "Equation 5: cumulative hinge loss L", "onebit/theory/comparator.py",
             f"{_BOUNDS}test_the_measure_of_weights"),
        Item("definition", "Equation 6: complexity D of weights", "onebit/theory/comparator.py",
             f"{_BOUNDS}test_the_comparator_is_a_known_maximum_margin"),
        Item("theorem", "Equation 7: mistakes of the Perceptron, L + D + sqrt(L D)",
             "onebit/theory/bounds.py", "onebit bound perceptron loss=0 complexity=81"),
        Item("algorithm", "Algorithm 1: the Banditron", "onebit/learners/banditron.py", _ORACLE),
        Item("algorithm", "The Banditron's distribution P over labels",
             "onebit/explorers/epsilon.py", "tests/unit/test_explorers.py::test_formulas"),
        Item("extension", "Other unbiased updates of the Banditron", "onebit/learners/banditron.py",
             "tests/oracles/test_oracles.py::test_the_banditrons_other_updates_equal_their_oracle"),
        Item("claim", "Its own update does best among the unbiased ones", _CLAIMS,
             "onebit reproduce claims-banditron"),
        Item("theorem", "Theorem 1: expected mistakes of the Banditron", "onebit/theory/bounds.py",
             f"{_BOUNDS}test_theorem_1_and_equation_7_hold_on_synsep"),
        Item("theorem", "Equation 8: the proof's lower bound, from Lemma 4",
             "tests/oracles/test_lemmas.py", f"{_LEMMAS}test_lemma_4_the_update_is_unbiased"),
        Item("theorem", "Equation 9: the proof's upper bound, from Lemma 5",
             "tests/oracles/test_lemmas.py", f"{_LEMMAS}test_lemma_5_the_squared_norm_is_bounded"),
        Item("theorem", "Corollary 2: little noise, gamma = sqrt(K D / T)",
             "onebit/explorers/theory.py",
             "tests/unit/test_theory.py::test_without_noise_it_is_corollary_2"),
        Item("theorem", "Corollary 3: noise, gamma of order (K D / T)^(1/3)",
             "onebit/explorers/theory.py",
             "tests/unit/test_theory.py::test_with_noise_it_minimises_what_noise_adds"),
        Item("theorem", "Lemma 4: the update is unbiased", "onebit/learners/banditron.py",
             f"{_LEMMAS}test_lemma_4_the_update_is_unbiased"),
        Item("theorem", "Lemma 5: the squared norm of the update", "onebit/theory/bounds.py",
             f"{_LEMMAS}test_lemma_5_the_squared_norm_is_bounded"),
        Item("algorithm", "Halving from one bit", "onebit/learners/bandit_halving.py", _ORACLE),
        Item("theorem", "Lemma 6: K ln |H| mistakes of bandit Halving", "onebit/theory/bounds.py",
             f"{_SPACES}test_bandit_halving_stays_below_k_ln_and_the_adversary_comes_near"),
        Item("algorithm", "Halving on a grid that covers the linear class",
             "onebit/learners/cover_halving.py", _ORACLE),
        Item("theorem", "Theorem 7: its mistakes, K^2 d ln(D d)", "onebit/theory/covers.py",
             f"{_COVERS}test_theorem_7"),
        Item("definition", "Random projection of rows, and margins that survive it",
             "onebit/streams/transforms/project.py",
             "tests/streams/test_transforms.py::test_projected_rows_keep_norms_and_margins"),
        Item("algorithm", "Halving on a cover after a projection",
             "onebit/learners/projected_halving.py",
             f"{_COVERS}test_projected_halving_equals_its_oracle_on_wide_rows"),
        Item("theorem", "Theorem 8: its mistakes, with probability 1 - delta",
             "onebit/theory/covers.py",
             f"{_COVERS}test_the_projection_of_theorem_8_keeps_half_of_a_margin"),
        Item("data set", "SYNSEP", "onebit/streams/datasets/synsep.py",
             "tests/streams/test_synsep.py::"
             "test_the_weights_of_the_paper_separate_it_with_margin_1"),
        Item("data set", "SYNNONSEP", "onebit/streams/datasets/synnonsep.py",
             "tests/streams/test_synsep.py::test_noise_changes_5_percent_of_labels_to_any_other"),
        Item("data set", "REUTERS4", "onebit/streams/datasets/reuters4.py",
             "tests/streams/test_reuters4.py::test_stories_with_exactly_one_topic"),
        Item("experiment", "Ten runs for each of a wide range of gamma",
             "onebit/experiment/papers/banditron.py", "onebit reproduce synsep synnonsep"),
        Item("figure", "Figure 1, left: SYNSEP", "onebit/experiment/papers/banditron.py",
             "onebit reproduce synsep"),
        Item("figure", "Figure 1, middle: SYNNONSEP", "onebit/experiment/papers/banditron.py",
             "onebit reproduce synnonsep"),
        Item("figure", "Figure 1, right: REUTERS4", "onebit/experiment/papers/banditron.py",
             "onebit reproduce reuters4"),
        Item("claim", "Slopes of -1 and -0.55 on separable rows", _CLAIMS,
             "onebit reproduce claims-banditron"),
        Item("claim", "Errors of 10% and 13% with noise, falling only after 10^4 rounds", _CLAIMS,
             "onebit reproduce claims-banditron"),
        Item("claim", "5.3% and 16.3% on REUTERS4, falling at like rates", _CLAIMS,
             "onebit reproduce claims-banditron"),
        Item("claim", "A gamma too low or too high is worse", _CLAIMS,
             "onebit reproduce claims-banditron"),
        Item("extension", "Label ranking: several labels shown, one of them clicked",
             "onebit/learners/label_ranking.py",
             "tests/unit/test_ranking.py::"
             "test_an_offer_shows_the_best_labels_sometimes_with_one_swapped"),
        Item("extension", "Multiplicative updates from one bit", "onebit/learners/winnow_bandit.py",
             _ORACLE),
        Item("extension", "Updates at a margin from one bit", "onebit/learners/margin_bandit.py",
             "tests/unit/test_extensions.py::test_margin_bandits_step_is_unbiased_for_pa"),
        Item("open problem", "Regret of order sqrt(T), efficiently", _THEORY,
             "onebit reproduce theory-open"),
        Item("open problem", "The best bound on mistakes if rows are separable", _THEORY,
             "onebit reproduce theory-open"),
        Item("open problem", "A finite bound that does not depend on the dimension", _THEORY,
             "onebit reproduce theory-open"),
        Item("open problem", "An efficient learner with D ln T mistakes", _THEORY,
             "onebit reproduce theory-open"),
    ),
    seed_traps.BANDITRON,
)  # fmt: skip

DEKEL = Text(
    "O. Dekel, Introduction and mistake bound analysis, lecture, scribed by A. White",
    {
        "Definition": (1, 2, 3),
        "Assumption": (1, 2, 3, 4),
        "Theorem": (1, 2),
        "Example": (1, 2),
    },
    (
        Item("definition", "Definition 1: binary classifiers", "onebit/hypotheses/stumps.py",
             "tests/unit/test_hypotheses.py::"
             "test_stumps_are_every_feature_threshold_and_two_labels"),
        Item("definition", "Example 1: the online binary prediction game",
             "onebit/kernel/engine.py", "onebit play plane perceptron --rounds 1000"),
        Item("definition", "No assumption on how rows come: the game against an adversary",
             "onebit/streams/datasets/adversary.py",
             "tests/streams/test_adversary.py::test_halving_errs_log2_times"),
        Item("definition", "Assumption 1: a finite class of experts",
             "onebit/hypotheses/__init__.py", "onebit hypotheses stumps"),
        Item("definition", "Assumption 2: one expert is always right",
             "onebit/streams/datasets/vote.py", "onebit reproduce theory-classes"),
        Item("definition", "Definition 2: the version space",
             "onebit/learners/shared/version_space.py",
             f"{_SPACES}test_an_empty_class_is_one_sentence_that_names_the_round"),
        Item("algorithm", "The halving algorithm", "onebit/learners/halving.py", _ORACLE),
        Item("theorem", "Theorem 1: log2 |H| mistakes of Halving", "onebit/theory/bounds.py",
             f"{_SPACES}test_halving_makes_exactly_log2_mistakes_when_the_class_is_split_evenly"),
        Item("algorithm", "Example 2: the binary Perceptron", "onebit/learners/perceptron.py",
             f"{_BINARY}test_the_perceptron_on_two_labels_is_the_binary_perceptron"),
        Item("definition", "Definition 3: linear binary classifiers",
             "onebit/hypotheses/linear.py", "onebit hypotheses linear"),
        Item("figure", "Pictures: half-spaces, one update, the margin",
             "onebit/experiment/reproduce/perceptron_figure.py",
             "tests/experiment/test_bound_checks.py::test_pictures_show_a_real_run"),
        Item("definition", "Assumption 3: bounded rows", "onebit/streams/datasets/plane.py",
             "tests/streams/test_plane.py::test_no_point_is_near_the_line_or_outside_the_disc"),
        Item("definition", "Assumption 4: a margin", "onebit/streams/datasets/plane.py",
             "tests/streams/test_plane.py::test_no_point_is_near_the_line_or_outside_the_disc"),
        Item("theorem", "Theorem 2: Novikoff's (radius / margin)^2 mistakes",
             "onebit/theory/bounds.py",
             "tests/streams/test_adversary.py::test_the_perceptron_reaches_novikoffs_bound"),
    ),
    seed_traps.DEKEL,
)  # fmt: skip

HANAWAL = Text(
    "M. K. Hanawal, Lecture 13: Perceptron and Winnow, scribed by S. Saklani",
    {"Algorithm": (1, 2), "Theorem": ("13.1", "13.2")},
    (
        Item("definition", "Realizability", "onebit/streams/datasets/vote.py",
             f"{_SPACES}test_no_bound_is_exceeded_on_random_classes_with_a_perfect_hypothesis"),
        Item("algorithm", "Consistent", "onebit/learners/consistent.py", _ORACLE),
        Item("theorem", "|H| - 1 mistakes of Consistent", "onebit/theory/bounds.py",
             f"{_SPACES}test_consistent_can_be_forced_to_a_mistake_for_every_hypothesis_but_one"),
        Item("theorem", "log2 |H| mistakes of Halving", "onebit/theory/bounds.py",
             f"{_SPACES}test_halving_with_more_labels_stays_below_log2"),
        Item("algorithm", "The standard optimal algorithm", "onebit/learners/soa.py",
             f"{_SPACES}test_soa_is_optimal_on_every_small_class"),
        Item("definition", "Littlestone's dimension", "onebit/theory/littlestone.py",
             f"{_SPACES}test_the_dimension_is_littlestones"),
        Item("definition", "Full information: every hypothesis' loss is told",
             "onebit/streams/transforms/advise.py",
             "tests/unit/test_hypotheses.py::test_right_advice_is_counted_for_each_hypothesis"),
        Item("algorithm", "Weighted Majority", "onebit/learners/weighted_majority.py", _ORACLE),
        Item("theorem", "Its regret of sqrt(2 T log |H|)", "onebit/theory/bounds.py",
             f"{_REGRET}test_advice"),
        Item("definition", "Regret and expected regret", "onebit/experiment/run/regret.py",
             "tests/experiment/test_regret.py::test_the_best_fixed_hypothesis"),
        Item("definition", "Pseudo-regret", "onebit/experiment/run/regret.py",
             "tests/experiment/test_regret.py::"
             "test_pseudo_regret_compares_with_one_choice_for_all_seeds"),
        Item("definition", "Incomplete information: hypotheses as arms",
             "onebit/streams/transforms/arms.py",
             "tests/experiment/test_regret.py::test_hypotheses_as_arms_have_the_same_best_choice"),
        Item("algorithm", "Exp3", "onebit/learners/exp3.py", _ORACLE),
        Item("algorithm", "Exp3.P", "onebit/learners/exp3p.py", _ORACLE),
        Item("algorithm", "Exp3-IX", "onebit/learners/exp3ix.py", _ORACLE),
        Item("claim", "Exp3 is bounded in expectation, Exp3.P and Exp3-IX with high probability",
             "onebit/theory/bounds.py", f"{_REGRET}test_labels"),
        Item("algorithm", "Algorithm 1: the Perceptron", "onebit/learners/perceptron.py",
             f"{_BINARY}test_the_perceptron_on_two_labels_is_the_binary_perceptron"),
        Item("theorem", "Theorem 13.1: mistakes of the Perceptron (the 2-norm is needed)",
             "onebit/theory/bounds.py", f"{_BINARY}test_novikoffs_bound_needs_the_2_norm"),
        Item("algorithm", "Algorithm 2: Winnow (printed as Minnow)", "onebit/learners/winnow.py",
             _ORACLE),
        Item("theorem", "Theorem 13.2: mistakes of Winnow, corrected", "onebit/theory/bounds.py",
             f"{_BINARY}test_winnows_corrected_bound_is_never_exceeded"),
        Item("claim", "Winnow suits high dimensions less (it does not hold)",
             "onebit/learners/winnow.py",
             f"{_BINARY}test_irrelevant_features_cost_winnow_less_than_the_perceptron"),
    ),
    seed_traps.HANAWAL,
)  # fmt: skip

BANDITBOOST = Text(
    "Chen, Lin and Lu, Boosting with online binary learners for the multiclass bandit problem,"
    " ICML 2014",
    {
        "Equation": (1, 2, 3, 4, 5, 6, 7),
        "Assumption": (1,),
        "Algorithm": (1,),
        "Lemma": (1, 2, 3, 4),
        "Claim": (1, 2),
        "Theorem": (1,),
        "Table": (1, 2),
        "Figure": (1,),
    },
    (
        Item("definition", "One against the rest: a binary example for each label",
             "onebit/learners/shared/boosting.py", f"{_BOOST}test_boost_equals_its_oracle"),
        Item("algorithm", "Online boosting with full information", "onebit/learners/boost.py",
             f"{_BOOST}test_boost_equals_its_oracle"),
        Item("algorithm", "A weak learner by online gradient descent",
             "onebit/learners/weak/ogd.py",
             "tests/unit/test_weak.py::test_ogd_stays_in_the_unit_ball_and_can_shrink_forever"),
        Item("definition", "Advantage of a weak learner", "onebit/learners/shared/boosting.py",
             "tests/unit/test_weak.py::test_diagnostics_have_advantage_weight_and_voters"),
        Item("algorithm", "Algorithm 1: BanditBoost", "onebit/learners/banditboost.py",
             f"{_BOOST}test_banditboost_equals_its_oracle"),
        Item("definition", "Equation 2: smooth weights of examples",
             "onebit/learners/shared/boosting.py", f"{_BOOST}test_banditboost_equals_its_oracle"),
        Item("definition", "Equation 3: sums of margins, and theta",
             "onebit/learners/shared/boosting.py",
             "tests/unit/test_weak.py::test_auto_eta_and_theta_are_the_papers"),
        Item("definition", "Equation 4: weights estimated from one bit",
             "onebit/learners/banditboost.py", f"{_BOOST}test_claim_1_the_estimates_are_unbiased"),
        Item("theorem", "Claim 1: the estimates are unbiased", "onebit/learners/banditboost.py",
             f"{_BOOST}test_claim_1_the_estimates_are_unbiased"),
        Item("definition", "Equation 1: weights large enough for a weak learner",
             _BANDITBOOST, _NEEDS),
        Item("definition", "Assumption 1: an advantage of 2 gamma on such weights",
             _BANDITBOOST, _NEEDS),
        Item("theorem", "Lemma 1: linear weak learners have it", _BANDITBOOST, _NEEDS),
        Item("theorem", "Lemma 2: the average vote of the first m weak learners",
             "onebit/learners/banditboost.py",
             "tests/unit/test_weak.py::test_diagnostics_have_advantage_weight_and_voters"),
        Item("theorem", "Lemma 3: how many weak learners that takes", _BANDITBOOST, _NEEDS),
        Item("theorem", "Equation 5: the weak learners' gains, summed",
             "onebit/learners/banditboost.py",
             "tests/unit/test_weak.py::test_diagnostics_have_advantage_weight_and_voters"),
        Item("theorem", "Claim 2: an upper bound on these gains", _BANDITBOOST, _NEEDS),
        Item("theorem", "Lemma 4: the loss of the voting weights", _BANDITBOOST, _NEEDS),
        Item("theorem", "Equation 7: their regret", _BANDITBOOST, _NEEDS),
        Item("theorem", "Theorem 1: errors of order K delta T / gamma", _BANDITBOOST, _NEEDS),
        Item("algorithm", "Equation 6: voting weights, multiplied and normalised",
             "onebit/learners/shared/boosting.py",
             f"{_BOOST}test_voting_weights_stay_on_the_simplex"),
        Item("algorithm", "Voting weights by gradient descent instead",
             "onebit/learners/shared/boosting.py",
             f"{_BOOST}test_the_projection_is_the_nearest_point"),
        Item("claim", "The paper's eta moves equation 6 (it hardly does)",
             "onebit/learners/banditboost.py",
             "tests/unit/test_weak.py::"
             "test_an_adaptive_rate_leaves_bad_voters_out_and_the_papers_does_not"),
        Item("algorithm", "Conservative one against all", "onebit/learners/cova.py",
             f"{_BOOST}test_cova_equals_its_oracle"),
        Item("algorithm", "Weak learner: Perceptron", "onebit/learners/weak/perceptron.py",
             f"{_BOOST}test_banditboost_equals_its_oracle"),
        Item("algorithm", "Weak learner: naive Bayes", "onebit/learners/weak/naive_bayes.py",
             f"{_BOOST}test_without_columns_every_feature_of_naive_bayes_has_two_values"),
        Item("algorithm", "Base learner: passive-aggressive", "onebit/learners/weak/pa.py",
             "tests/unit/test_extensions.py::test_pa_reaches_a_margin_of_1_or_its_largest_step"),
        Item("data set", "CAR", "onebit/streams/datasets/car.py",
             "tests/streams/test_embedded.py::test_tables_equal_the_published_file_in_its_order"),
        Item("data set", "NURSERY", "onebit/streams/datasets/nursery.py",
             "tests/streams/test_embedded.py::test_tables_equal_the_published_file_in_its_order"),
        Item("data set", "DNA", "onebit/streams/datasets/dna.py",
             "tests/streams/test_embedded.py::test_dna_equals_the_published_file_in_its_order"),
        Item("data set", "CONNECT4", "onebit/streams/datasets/connect4.py",
             "tests/streams/test_embedded.py::test_connect4_equals_the_published_file_as_a_set"),
        Item("data set", "REUTERS4, and rows of its size",
             "onebit/streams/datasets/reuters4shape.py",
             "tests/streams/test_reuters4shape.py::test_it_has_the_papers_size"),
        Item("table", "Table 1: the data sets", "onebit/experiment/papers/banditboost.py",
             "onebit reproduce table1"),
        Item("table", "Table 2: errors on five data sets", "onebit/experiment/papers/_table2.py",
             "onebit reproduce table2-car table2-dna table2-nursery table2-connect4"),
        Item("figure", "Figure 1 (a) to (e): error over delta",
             "onebit/experiment/papers/_table2.py", "onebit reproduce table2-car"),
        Item("figure", "Figure 1 (f): REUTERS4 over the rounds",
             "onebit/experiment/papers/_table2.py", "onebit reproduce table2-reuters4"),
        Item("experiment", "Ten orders, 100 weak learners, advantage 0.1",
             "onebit/experiment/papers/banditboost.py", "onebit reproduce table2-dna"),
        Item("claim", "PA and Perceptron differ little in C-OVA", _CLAIMS_2014,
             "onebit reproduce claims-banditboost"),
        Item("claim", "A delta too low or too high is worse", _CLAIMS_2014,
             "onebit reproduce claims-banditboost"),
        Item("claim", "BanditBoost beats the Banditron, and is comparable to C-OVA", _CLAIMS_2014,
             "onebit reproduce claims-banditboost"),
        Item("claim", "On REUTERS4 it overtakes C-OVA late", _CLAIMS_2014,
             "onebit reproduce claims-banditboost"),
        Item("claim", "With naive Bayes it is best on all sets", _CLAIMS_2014,
             "onebit reproduce claims-banditboost"),
        Item("claim", "C-OVA does not suit learners without margins", _CLAIMS_2014,
             "onebit reproduce claims-banditboost"),
        Item("claim", "More weak learners help",
             "onebit/experiment/papers/_more_weak_learners.py",
             "onebit reproduce more-weak-learners"),
    ),
    seed_traps.BANDITBOOST,
)  # fmt: skip

NOTES = Text(
    "Student notes on the Banditron paper",
    {"Theorem": (1, 7), "Lemma": (5,)},
    (
        Item("algorithm", "The multiclass Perceptron", "onebit/learners/perceptron.py", _ORACLE),
        Item("definition", "Hinge loss and complexity", "onebit/theory/comparator.py",
             f"{_BOUNDS}test_the_measure_of_weights"),
        Item("theorem", "Mistakes of the Perceptron", "onebit/theory/bounds.py",
             f"{_BOUNDS}test_theorem_1_and_equation_7_hold_on_synsep"),
        Item("algorithm", "The Banditron", "onebit/learners/banditron.py", _ORACLE),
        Item("theorem", "Theorem 1: expected mistakes of the Banditron", "onebit/theory/bounds.py",
             "onebit bound banditron labels=9 rounds=1e6 gamma=0.0156 complexity=81"),
        Item("theorem", "Lemma 5: the squared norm of the update", "onebit/theory/bounds.py",
             f"{_LEMMAS}test_lemma_5_is_nearly_tight"),
        Item("algorithm", "Halving on a cover", "onebit/learners/cover_halving.py", _ORACLE),
        Item("theorem", "Theorem 7: its mistakes, which need separable rows",
             "onebit/theory/covers.py",
             f"{_COVERS}test_rows_that_no_weights_of_this_complexity_separate_raise"),
        Item("definition", "Fewer dimensions, and the bound after them",
             "onebit/streams/transforms/project.py",
             f"{_COVERS}test_a_projection_makes_wide_rows_feasible"),
    ),
    seed_traps.NOTES,
)  # fmt: skip

TEXTS = (BANDITRON, DEKEL, HANAWAL, BANDITBOOST, NOTES)
