"""The Cypher statements of Telha, one a file, shipped as package data."""
