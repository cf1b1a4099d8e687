"""Writes the files of the package that follow from the catalogue: `make stubs`."""
