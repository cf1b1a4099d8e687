"""A masked graph as the verbs take it."""

import json

from sdckit.cli import main

RELEASE = ["--recipe", "recipe.toml", "--key", "key.json"]


def printed(capsys, *arguments):
    code = main([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)
