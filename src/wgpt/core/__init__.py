"""The ground: errors, argument checks, names of options, sizes, atomic writes. What every floor uses; no GPU."""
