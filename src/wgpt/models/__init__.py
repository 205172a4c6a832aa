"""Model families: one file each, one forward each."""
