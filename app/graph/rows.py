"""What queries return: a frozen dataclass each, its fields the columns of the file.

Each step has its own beside its queries; here is what they share. Values are what the driver
gives: ``int``, ``str``, ``bool``, ``float``, ``None``, ``list``, ``dict``.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Nothing:
    """No column: a statement without a result."""
