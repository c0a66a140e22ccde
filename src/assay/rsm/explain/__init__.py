"""Why a response got its score: the share of each feature. Front door `explain_model`."""
