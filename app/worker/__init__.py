"""Celery: tasks parse, call one flow function, and nothing else."""
