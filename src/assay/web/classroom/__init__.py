"""Hand-in, release, appeals and the data of people: what pages and the API share."""
