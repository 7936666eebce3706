"""Cards that nobody deals: two masks, and proofs that they are what they claim (protocol 5.4, 6).

Pure: randomness is handed in, and neither rules nor chain nor files are known here.
"""
