"""Running trials: one learner on one stream under one seed, many at a time."""
