"""The post: what goes into a mail, what is found in one, and the clients that carry it.

`armour` is the short form of entries (protocol 13); `mail` finds games in whatever arrived, `text`
and `unpack` help it; `letter` writes the mail that goes out; `smtp` and `imap` are the clients.
Nothing here believes what it finds, knows a home, or writes a file.
"""
