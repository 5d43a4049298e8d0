"""How good rankings are, by judgements: measures, and tests of their differences."""
