"""`python -m homesteward`: the command line."""

from homesteward.cli import main

if __name__ == "__main__":
    main()
