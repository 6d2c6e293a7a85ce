"""Inject faults into real runs of the pipeline: no wrong result may look right afterwards."""
