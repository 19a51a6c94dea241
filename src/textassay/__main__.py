"""`python -m textassay`: the command, where its script is not on the path."""

from textassay.cli import main

if __name__ == "__main__":
    main()
