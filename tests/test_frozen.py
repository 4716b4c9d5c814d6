"""What the package returns stays as it was made: every dataclass of it is frozen."""

import pkgutil
from dataclasses import FrozenInstanceError, fields, is_dataclass
from importlib import import_module

import pytest

import ndcg_ref

MODULES = [each.name for each in pkgutil.walk_packages(ndcg_ref.__path__, "ndcg_ref.") if "__main__" not in each.name]
RECORDS = {
    f"{name}.{each.__qualname__}": each
    for name in MODULES
    for each in vars(import_module(name)).values()
    if isinstance(each, type) and each.__module__ == name and is_dataclass(each)
}


def test_what_a_user_holds_is_among_the_records():
    assert {ndcg_ref.Convention, ndcg_ref.Result, ndcg_ref.stated.Verdict} <= set(RECORDS.values())


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_no_field_of_a_record_can_be_set(name):
    record = object.__new__(RECORDS[name])  # no field needs a value for this
    for field in fields(record):
        with pytest.raises(FrozenInstanceError):
            setattr(record, field.name, None)
