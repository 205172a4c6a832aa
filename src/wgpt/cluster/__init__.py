"""Several machines, through Ray (the extra `ray`)."""
