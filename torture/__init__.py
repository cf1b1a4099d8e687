"""Torture: long trials that try to break sdckit, for the eve of a release. Each file of this folder is one part."""
