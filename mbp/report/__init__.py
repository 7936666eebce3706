"""Pictures, pages and tables out of matches: text in, text out. Prints, opens and writes nothing.

Names, notes and addresses are a peer's: each passes `escape.plain` before it goes anywhere.
"""

from __future__ import annotations
