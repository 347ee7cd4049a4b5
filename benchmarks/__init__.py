"""Speed as ratios: floor and product side by side in one run, medians of interleaved rounds."""
