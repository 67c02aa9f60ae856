"""Reporting on trials: tables, figures, verdicts and pages."""
