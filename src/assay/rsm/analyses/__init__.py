"""What can be said about the features of training responses, beside the model. Front door `analyse_training`."""
