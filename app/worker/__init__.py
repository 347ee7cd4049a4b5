"""Celery: the tasks that other code calls by name, and the beat that wakes what was missed."""
