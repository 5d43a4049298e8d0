"""Many systems that differ in some places, and the choice among them."""
