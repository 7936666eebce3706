"""Mandala by post: hidden-hand games by correspondence, one signed YAML file, no server."""

__version__ = "0.1.0"
