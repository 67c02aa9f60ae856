"""Fields and kernels that several learners share, one topic per file."""
