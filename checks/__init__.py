"""Long checks of the whole pipeline and of what is published, outside the default tests."""
