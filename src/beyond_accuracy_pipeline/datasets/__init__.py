"""Data sets: a catalogue entry is fetched, checked, parsed, split and stored as arrays."""
