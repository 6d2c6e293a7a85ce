"""Long checks of the pipeline and of the published packages, outside the default tests."""
