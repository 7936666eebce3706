"""Crimes, one each, and what an audit says about them (protocol 11)."""
