"""Payloads and results: what callers send and get, the same by CLI, task and Python."""
