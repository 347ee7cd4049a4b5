"""The declared queries, one module a step: a frozen row type and a ``Query`` for each file."""
