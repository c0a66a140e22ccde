"""What a writer is told: advice, strengths, notes, outline, advisories, and what would raise the score."""
