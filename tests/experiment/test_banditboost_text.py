"""BanditBoost on real text rows of norm 1, where a bias of 1 once hid the words."""

import numpy as np
import pytest
from pace import some
from streams.reading import original

from onebit.experiment.run.playing import play_trial
from onebit.experiment.run.trial import Trial

FILE = "rcv1_4topics.svmlight.gz"
