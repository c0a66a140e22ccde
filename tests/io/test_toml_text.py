"""TOML that others wrote."""

import pytest

from assay.errors import InputError
from assay.io.toml_text import parse_toml


def refusal(text: str, **more: str) -> InputError:
    with pytest.raises(InputError) as refused:
        parse_toml(text, source="rules.toml", field="rules", **more)
    return refused.value


def test_a_text_is_read_with_and_without_a_byte_order_mark() -> None:
    assert parse_toml("\ufeff[a]\nb = [1, 'x']", source="r", field="rules") == {"a": {"b": [1, "x"]}}


@pytest.mark.parametrize(
    "key",
    [
        "a." * 64 + "b = 1",
        "[" + "a . " * 64 + "b]",
        "x = {" + "a." * 64 + "b = 1}",
        '"=".' * 64 + "b = 1",
        "'.'." * 64 + "b = 1",
    ],
)
def test_a_key_of_more_parts_than_the_limit_is_refused_before_it_is_parsed(key: str) -> None:
    error = refusal("first = 1\n" + key)
    assert (error.row, error.field) == (2, "rules")
    assert "more than 64 parts" in str(error)
    assert "ASSAY_LIMIT_TOML_DEPTH" in str(error)


def test_a_key_at_the_limit_and_long_prose_are_read() -> None:
    assert parse_toml("a." * 63 + "b = 1", source="r", field="rules")
    prose = " ".join(["One sentence ends here. Then e.g. another."] * 200)
    assert parse_toml(f'text = "{prose}"', source="r", field="rules")["text"] == prose


def test_the_limit_of_parts_can_be_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_TOML_DEPTH", "100")
    assert parse_toml("a." * 80 + "b = 1", source="r", field="rules")


def test_nesting_beyond_the_stack_mistakes_and_size_are_refused_with_the_source(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "too deeply" in str(refusal("a = " + "[" * 50_000))
    mistake = refusal("a = b", remedy="Text needs quotes.")
    assert (mistake.source, mistake.remedy) == ("rules.toml", "Text needs quotes.")
    assert "not valid TOML" in str(mistake)
    monkeypatch.setenv("ASSAY_LIMIT_TOML_BYTES", "4")
    assert "at most 4" in str(refusal("a = 1"))
