"""The command `telha`."""
