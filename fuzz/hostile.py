"""Values that readers do not expect: numbers, texts, and what stands for a value in JSON, TOML, YAML and XML."""

import json

DEEP = 3_000
"""Lists or elements one in another."""
HOSTILE_NUMBERS = (
    *("0", "-0", "-1", "1", "2", "3", "0.5", "-1e-9", "1e-320", "1e15", "-1e15", "1e16", "1e308", "1e999", "-1e999"),
    *("NaN", "Infinity", "-Infinity", "9223372036854775807", "9223372036854775808", "-9223372036854775809"),
    *("18446744073709551616", "2147483648", "4294967296", "65536", "256", "1" + "0" * 400, "1" * 5000, "0x10", "1_000"),
)
HOSTILE_TEXTS = (
    *("", " ", "a", "0", "-1", "1.5", "true", "null", "nan", "inf", "None", "../../etc/passwd", "/", "\\", ".", ".."),
    *("C:\\x\\y", "a/b/c.png", "con", "\u202e", "\ufeff", "\u0000", "\x1b[31m", "\r\n", "\t", "é", "e\u0301", "𝕏"),
    *("x" * 300, "x" * 5000, "<b>", "&amp;", "{}", "[]", "'", '"', "=1+1", "%s%n", "${x}", "1,5", "1e5", "１２", "²"),
)
SURROGATES = (r'"\ud800"', r'"\udfff\ud800"', r'"a\udc00b"')
JSON_VALUES = (
    *HOSTILE_NUMBERS,
    *(json.dumps(text) for text in HOSTILE_TEXTS),
    *SURROGATES,
    *("null", "true", "false", "[]", "{}", "[[]]", "[{}]", "[null]", "[0]", "[1,2]", "[[1,2],[3,4]]", '["a"]'),
    *('{"a": 1}', '{"": null}', '{"id": 1}', '[1, "a", null, {}]', "[1e999]", "[NaN]", "[" + "0," * 300 + "0]"),
    *("[" * DEEP + "]" * DEEP, '{"a":' * DEEP + "1" + "}" * DEEP, "[" * DEEP, "", ","),
)
TOML_VALUES = (
    *HOSTILE_NUMBERS,
    *(
        "inf",
        "-inf",
        "nan",
        "true",
        "false",
        "[]",
        "{}",
        "[[]]",
        "[1, 2]",
        '["a"]',
        "{a = 1}",
        "1979-05-27",
        "07:32:00",
    ),
    *('""', '"a"', "'''x'''", '"\\u0000"', '"\\u001b"', '"' + "x" * 3000 + '"', "[" * 500 + "]" * 500, "", "'"),
)
YAML_VALUES = (
    *HOSTILE_NUMBERS,
    *("", "~", "null", "yes", "no", "[]", "{}", "[a, b]", "{0: a}", "&x [*x]", "*x", "!!python/object:os.system x"),
    *("!!binary x", "|", ">", "? a", "- a", "'", '"', "%", "@", "`", "[" * 400, "{a: " * 300, "x" * 3000, "2020-01-01"),
)
XML_TEXTS = (*HOSTILE_NUMBERS, "", " ", "a", "true", "&amp;", "&#0;", "&x;", "<![CDATA[x]]>", "x" * 3000, "1,2;3,4")
