"""The tests, a package so that they can share what plays two correspondents or a child process."""
