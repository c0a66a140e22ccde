"""Filters of SCIM."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.web.sign_on.scim_filter import FilterTerm, parse_filter


def test_comparisons_are_joined_by_and() -> None:
    assert parse_filter('userName Eq "a \\"b" AND active eq true') == [
        FilterTerm("username", 'a "b'),
        FilterTerm("active", True),
    ]
    assert parse_filter("  ") == []
    assert parse_filter('urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"')[0].value == "a"


@pytest.mark.parametrize(
    "text",
    ['userName sw "a"', "userName eq", 'password eq "x"', 'userName eq "a" or active eq true', "(" * 3000, '"'],
)
def test_what_is_not_known_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_filter(text)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(InputError):
        assert isinstance(parse_filter(text), list)
