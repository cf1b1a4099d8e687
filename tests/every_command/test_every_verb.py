"""Every verb of the command line is in the generated sweeps, and every path that it takes."""

import pytest
from torture._every_command import SERVER, commands_of, path_names, typed
from torture._sound_files import Sound

from sdckit.cli.outputs import outputs_of
from sdckit.cli.verb import every_verb
from tests.every_command.finished import LONG


@pytest.mark.parametrize("verb", [each for each in every_verb() if each != SERVER])
def test_every_path_of_a_verb_is_in_a_command(tmp_path, verb):
    found = list(commands_of(verb, Sound(tmp_path)))
    named = {parameter.split()[0] for each in found for parameter in (*each.read, *each.written)}
    assert found and named == set(path_names(verb))


def test_an_unknown_parameter_is_named(tmp_path):
    with pytest.raises(KeyError, match="'port' of the verb 'web'"):
        typed(SERVER, ["port"], Sound(tmp_path))


def test_what_is_left_out_of_the_sweeps_reads_no_file():
    """The server reads files and has its own tests."""
    for verb in LONG:
        assert set(path_names(verb)) == set(outputs_of(every_verb()[verb].function))
