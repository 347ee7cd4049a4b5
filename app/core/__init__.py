"""The pure core: values, time, tiles, rules and fold. No clock, environment, driver or HTTP."""
