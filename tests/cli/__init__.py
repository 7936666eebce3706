"""The command line, told as sessions."""
