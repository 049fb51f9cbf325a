"""What a deployed stack lacks, in words."""
