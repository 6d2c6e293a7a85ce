"""Files that users bring: reading them, and errors that name the file and the line."""
