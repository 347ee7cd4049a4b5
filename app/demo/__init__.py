"""The demo: real version histories, a dozen answers, and what happens to them as time goes on."""
