"""`python -m mbp`: the same as the command `mbp`."""

from mbp.cli import main

if __name__ == "__main__":
    main()
