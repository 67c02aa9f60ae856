"""The contract: laws that every learner keeps, built in or yours.

from onebit.checks import check_learner
check_learner(MyLearner)
"""

from onebit.checks.laws import Broken, check_learner, laws_for

__all__ = ["Broken", "check_learner", "laws_for"]
