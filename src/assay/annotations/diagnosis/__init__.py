"""Why points were lost: the kinds of error, systematic habits with their evidence, errors that students share."""
