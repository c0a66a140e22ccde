"""The pages, a router each."""
