"""Experimental protocols of the papers: from a prepared data set to test scores."""
