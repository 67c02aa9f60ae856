"""What several learners share, one idea a file."""
