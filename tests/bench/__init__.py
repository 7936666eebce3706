"""Figures: times, sizes, play-outs. `python -m tests.bench` prints them; nothing is asserted."""
