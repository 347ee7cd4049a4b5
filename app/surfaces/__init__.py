"""Thin faces of the flow: command line and what follows."""
