"""The story, one verb a module: what happens between a change and its owner."""
