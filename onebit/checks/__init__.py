"""The contract: laws that every learner keeps, built in or from another package.

    from onebit.checks import check_learner
    check_learner(MyLearner)

A law is a function of a learner's class that raises `Broken` with a reason. A law may bind
only some kinds of learners (what they hear, what row they read); no learner is exempt by name.
"""

from onebit.checks import agent_laws, learner_laws  # noqa: F401  importing them declares the laws
from onebit.checks.contract import LAWS, Broken, check_learner, law, laws_for

__all__ = ["LAWS", "Broken", "check_learner", "law", "laws_for"]
