"""What happened in the house and why: an intake filter, one batch writer, backfill, retention, queries and causal chains."""
