"""Game files in real repositories, with the real program git and real processes of mbp."""
