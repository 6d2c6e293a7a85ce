"""Commands that the pipeline adds to the program `beyond-accuracy`."""
