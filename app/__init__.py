"""Telha: answers that know what they rest on."""
