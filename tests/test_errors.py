import pickle

import pytest

from sdckit import errors
from sdckit.errors import SdcError, UnknownNameError, near_miss


def test_the_near_miss_is_named():
    assert str(UnknownNameError("column", "incme", ["age", "income"])) == (
        "there is no column 'incme'; did you mean 'income'?"
    )


def test_capitals_do_not_hide_the_near_miss():
    assert near_miss("INCOME", ["income"]) == "; did you mean 'income'?"


def test_without_a_near_miss_all_names_are_listed():
    assert near_miss("zzz", ["age", "income"]) == "; there are: age, income"


def test_a_long_list_is_cut_short():
    message = near_miss("zzz", [f"column{i}" for i in range(20)])
    assert message.count(",") == 12 and message.endswith("…")


def test_without_names_nothing_is_listed():
    assert near_miss("age", []) == ""


@pytest.mark.parametrize("name", [name for name in vars(errors) if name.endswith("Error")])
def test_every_error_is_of_the_users_world_and_in_the_tree(name):
    assert issubclass(getattr(errors, name), SdcError)
    assert name in errors.__doc__


def test_errors_travel_between_processes():
    error = UnknownNameError("column", "incme", ["age", "income"])
    back = pickle.loads(pickle.dumps(error))
    assert (str(back), back.name) == (str(error), "incme")
