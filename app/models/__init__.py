"""Adapters to embedding models and generators; ``app.wiring`` alone puts them into use."""
