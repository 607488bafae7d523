"""One upgrade, step by step: the locks it takes, its tables, its code, and the fingerprints of what stands."""
