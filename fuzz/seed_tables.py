"""Small tables, essays, rules and instructions, written here: what mutation begins with."""

import gzip
import io
import zipfile
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from fuzz.seed_annotations import dumped, zipped

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"

SCORES = (
    "id,human,second,engine,other,group,words,candidate,weight,status\n"
    + "".join(
        f"r{i},{1 + i % 4},{1 + i * 3 % 4},{1 + i * 7 % 4}.{i % 10},{1 + i * 5 % 4},{'ab'[i % 2]},{50 + i},"
        f"c{i // 2},{1 + i % 2},ok\n"
        for i in range(24)
    )
).encode()
ESSAYS = (
    "id,essay,prompt,score,second,program,candidate\n"
    + "".join(
        f'e{i},"Cars are useful, but not good. {"We walk. " * (i % 4)}",{("towns", "cars")[i % 2]},{1 + i % 4},'
        f"{1 + i % 3},p{i % 2},c{i}\n"
        for i in range(10)
    )
).encode()


PANEL = (
    "item,rater,score,criterion,run,weight,topic\n"
    + "".join(
        f"i{i},{rater},{1 + (i + place) % 4},c{i % 2},1,{1 + i % 2},{'xy'[i % 2]}\n"
        for i in range(12)
        for place, rater in enumerate(("ann", "bob", "cy", "gpt"))
    )
).encode()
WIDE_PANEL = b"id,human_1,human_2,gpt,claude\n" + b"".join(
    f"i{i},{'pass' if i % 3 else 'fail'},{'pass' if i % 4 else 'Fail '},{'pass' if i % 5 else 'fail'},\n".encode()
    for i in range(12)
)
PREFERENCES = b"question,model_a,model_b,winner,judge\n" + b"".join(
    f"q{i},x,{'yz'[i % 2]},{('model_a', 'model_b', 'tie')[i % 3]},{('ann', 'gpt')[i % 2]}\n".encode() for i in range(12)
)


def panels() -> list[bytes]:
    return [PANEL, WIDE_PANEL, PREFERENCES]


INSPECT = {
    "version": 2,
    "status": "success",
    "eval": {"task": "t", "model": "mockllm/model"},
    "samples": [
        {
            "id": f"q{i % 6}",
            "epoch": 1 + i // 6,
            "input": "2 + 2?" if i else [{"role": "user", "content": "2 + 2?"}],
            "output": {"completion": "4"},
            "completed_at": "2026-11-18T06:05:14+00:00",
            "scores": {
                "match": {"value": "CIPN"[i % 4]},
                "human": {"value": i % 2 == 0},
                "grade": {"value": {"style": i % 5, "facts": 4.5}},
            },
        }
        for i in range(12)
    ],
}
PROMPTFOO = {
    "evalId": "e",
    "results": {
        "version": 3,
        "results": [
            {
                "testIdx": i,
                "promptIdx": 0,
                "provider": {"id": "echo", "label": ""},
                "response": {"output": "Paris"},
                "score": 0.5,
                "success": True,
                "gradingResult": {
                    "componentResults": [
                        {"pass": True, "score": i % 2, "assertion": {"type": "llm-rubric", "metric": "facts"}},
                        {"pass": False, "score": 0, "assertion": {"type": "llm-rubric", "metric": "facts"}},
                        {"pass": True, "score": 1, "assertion": {"type": "human"}},
                    ]
                }
                if i
                else None,
            }
            for i in range(4)
        ],
    },
}


def evaluation_logs() -> list[bytes]:
    """A log of inspect_ai and results of promptfoo, of the shape that inspect_ai 0.3.285 and promptfoo write."""
    return [dumped(INSPECT), dumped(PROMPTFOO)]


def evaluation_archives() -> list[bytes]:
    """Logs in a ZIP: with summaries, and with samples alone."""
    archives = []
    for summaries in (True, False):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("header.json", dumped({"version": 2, "eval": INSPECT["eval"]}))
            samples: Any = INSPECT["samples"]
            if summaries:
                archive.writestr("summaries.json", dumped(samples))
            for number, sample in enumerate(samples[:3]):
                archive.writestr(f"samples/{number}.json", dumped(sample))
        archives.append(stream.getvalue())
    return archives


def csv() -> list[bytes]:
    quoted = b'id;text;"n ""m"""\r\na;"x;y";1,5\r\nb;"line\r\nline";2\r\n'
    return [SCORES, quoted, SCORES.decode().encode("utf-16"), b"\xef\xbb\xbf" + SCORES, b"a|b\n1|2\n"]


def tsv() -> list[bytes]:
    return [SCORES.replace(b",", b"\t")]


def csv_gz() -> list[bytes]:
    return [gzip.compress(SCORES, mtime=0), gzip.compress(SCORES, mtime=0) * 2]


def jsonl() -> list[bytes]:
    rows = [
        {"id": f"r{i}", "human": i % 4, "engine": i / 3, "scores": {"a": i, "b": str(i)}, "tags": [i]} for i in range(6)
    ]
    odd = [{"id": 1, "human": None}, {"id": "2", "human": 4, "more": True}, {"id": 3.5}]
    return [b"\n".join(map(dumped, rows)), b"\n".join(map(dumped, odd)), dumped(rows[0]).replace(b"0.0", b"NaN")]


def _frame() -> Any:
    import polars as pl

    return pl.read_csv(io.BytesIO(SCORES))


def parquet() -> list[bytes]:
    import polars as pl

    files = []
    nested = pl.DataFrame({"id": ["a", "b"], "human": [1, 2], "engine": [[1.0], [2.0]], "at": [None, True]})
    for frame, packed in ((_frame(), True), (_frame(), False), (nested, True)):
        target = io.BytesIO()
        frame.write_parquet(target, compression="zstd" if packed else "uncompressed")
        files.append(target.getvalue())
    return files


def xlsx() -> list[bytes]:
    import xlsxwriter

    target = io.BytesIO()
    with xlsxwriter.Workbook(target, {"in_memory": True}) as book:
        sheet = book.add_worksheet("scores")
        for row, line in enumerate(SCORES.decode().splitlines()):
            for column, cell in enumerate(line.split(",")):
                sheet.write(row, column, cell if row == 0 or column in (0, 5, 7, 9) else float(cell))
        book.add_worksheet("empty")
    return [target.getvalue()]


def sas() -> list[bytes]:
    """A header as SAS writes it and an empty page; ReadStat writes no such files, so no seed of this one is whole."""
    magic = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
    header = bytearray(1024)
    header[:32] = magic
    header[32:40] = b"\x22\x22\x00\x32\x22\x01\x02\x32"
    header[84:92] = b"SAS FILE"
    header[92:100] = b"SCORES  "
    header[196:200] = (1024).to_bytes(4, "little")
    header[200:204] = (4096).to_bytes(4, "little")
    header[204:208] = (1).to_bytes(4, "little")
    page = bytearray(4096)
    page[16:24] = b"\x00\x00\x01\x00\x00\x00\x00\x00"
    wide = bytearray(header)
    wide[32] = 0x33
    return [bytes(header + page), bytes(wide + page), bytes(header)]


def essay_table() -> list[bytes]:
    return [ESSAYS]


def text() -> list[bytes]:
    essay = (EXAMPLES / "essays" / "phones.txt").read_bytes()[:1500]
    return [essay, "Ein Text, über den man streitet – “quoted”.\r\n\r\nZwei.".encode(), b"\xef\xbb\xbfShort."]


@cache
def docx() -> list[bytes]:
    import docx as word

    document = word.Document()
    document.add_paragraph("Cars are useful. They are not good.")
    document.add_table(1, 2).cell(0, 0).text = "In a table"
    target = io.BytesIO()
    document.save(target)
    w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = (
        f'<w:document xmlns:w="{w}"><w:body><w:p><w:r><w:t>One</w:t><w:tab/><w:br/></w:r><w:del><w:r><w:t>x</w:t></w:r>'
    )
    body += "</w:del><w:ins><w:r><w:t>two</w:t></w:r></w:ins></w:p></w:body></w:document>"
    part = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    types = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    types += f'<Override PartName="/word/document.xml" ContentType="{part}"/></Types>'
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    links = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    links += f'<Relationship Id="r1" Type="{office}" Target="word/document.xml"/></Relationships>'
    small = zipped({"[Content_Types].xml": types, "_rels/.rels": links, "word/document.xml": body})
    return [small, small, small, target.getvalue()]


def sign_on_settings() -> list[bytes]:
    oidc = '[oidc]\nissuer = "https://id.example.org"\nclient_id = "assay"\nclient_secret = "s"\nname = "School"\n'
    lti = '[[lti]]\nissuer = "https://lms.example.org"\nclient_id = "1"\ndeployments = ["d"]\n'
    names = ("authorization_url", "token_url", "keys_url")
    addresses = "".join(f'{name} = "https://lms.example.org/{name}"\n' for name in names)
    return [f'url = "https://assay.example.org"\n{oidc}{lti}{addresses}'.encode()]


def preferences() -> list[bytes]:
    dismissed = '[[dismissed]]\ntype = "comma"\nwords = "a, b"\n'
    return [f'accept = ["Wakanda"]\noff = ["style"]\nlevel = "grade6"\n{dismissed}'.encode()]


def markdown() -> list[bytes]:
    words = "They are **loyal**, _kind_ and `warm`; see [here](https://x.org).\n\n* a\n1. b\n"
    return [f"---\ntitle: Dogs\n---\n# Dogs\n\n{words}".encode()]


@cache
def odt() -> list[bytes]:
    """The type comes first and is not packed, as the format asks."""
    spaces = "".join(
        f' xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for short, name in (("office", "office"), ("text", "text"), ("draw", "drawing"))
    )
    body = (
        "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h>Dogs</text:h>"
        '<text:p>They<text:s text:c="3"/>wait<text:tab/>for <text:span>us</text:span>.<text:line-break/>Now.'
        "<text:note><text:p>aside</text:p></text:note></text:p><text:p/>"
    )
    content = f"<office:document-content{spaces}><office:body><office:text>{body}</office:text></office:body>"
    target = io.BytesIO()
    with ZipFile(target, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", f"{content}</office:document-content>")
    return [target.getvalue()]


def pdf() -> list[bytes]:
    """A PDF of one page with text, its table of objects right."""
    stream = b"BT /F1 12 Tf 72 720 Td (Cars are useful, but they are not good for towns.) Tj ET"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    content, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, start=1):
        places.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(content)
    content += b"xref\n0 6\n0000000000 65535 f \n%strailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        table,
        start,
    )
    return [content]


def rules() -> list[bytes]:
    from assay.annotations.rubric.infer import suggest_rubric
    from assay.annotations.rubric.rubric import Rubric
    from assay.io.annotations.coco.reader import read_coco
    from assay.io.annotations.rubric_toml import rubric_toml
    from fuzz.seed_annotations import coco

    truth = read_coco(coco()[0], source="truth.json")
    return [rubric_toml(suggest_rubric(truth)).encode(), rubric_toml(Rubric()).encode()]


INSTRUCTIONS = (
    *("ignore color", "label twice as important", "set the minimum overlap to 0.6 and ignore hidden"),
    *("weight of attributes 30 %", "do not penalise extra boxes", "only count car; leave out person, please"),
    *("match by id", "color must be exact", "localization counts 50, label 30, attributes 20", "count all labels"),
)


def class_rosters() -> list[bytes]:
    """A CSV as schools write it, one of Canvas, and OneRoster in a ZIP."""
    one_roster = {
        "users.csv": "sourcedId,status,role,givenName,familyName,email,identifier\nu1,active,student,Ada,L,a@x.org,7\n",
        "enrollments.csv": "sourcedId,classSourcedId,userSourcedId,role\ne1,c1,u1,student\ne2,c1,u2,student\n",
        "classes.csv": "sourcedId,title\nc1,English 9\n",
    }
    return [
        b"Name,E-mail,ID\nAda Lovelace,ada@x.org,4711\nBen,,\n",
        'Student;ID;SIS User ID\n"Points Possible";;\n"Osei, Amara";9;4711\n'.encode("utf-16"),
        zipped({name: text.encode() for name, text in one_roster.items()}),
    ]


def rosters() -> list[bytes]:
    return [b"student,file\nAda Lovelace,ada.xml\nBen,\n", "student;name\nZo\u00eb;z\n".encode("utf-16")]


INSTRUCTION_WORDS = (
    *("ignore", "color", "hidden", "car", "person", "label", "weight", "twice", "half", "important", "as", "count"),
    *("only", "overlap", "minimum", "to", "and", "not", "do", "0.5", "30 %", "100", "set", "the", "exact", "by", "id"),
    *("leave out", "please", ";", ",", ".", "extra", "missed", "penalise", "attributes", "'", '"', "include", "match"),
)


def instructions() -> list[bytes]:
    return [line.encode() for line in INSTRUCTIONS]


def answers() -> list[bytes]:
    """What a language model may say, bare or in a fence."""
    edits = [
        {"words": "ignore color", "action": "ignore_attribute", "attribute": "color", "label": None},
        {"words": "overlap to 0.6", "action": "set", "part": "thresholds.box", "value": 0.6},
    ]
    content = dumped({"edits": edits, "not_understood": ["the rest"]})
    return [content, b"Sure:\n```json\n" + content + b"\n```"]


def completions() -> list[bytes]:
    return [dumped({"choices": [{"message": {"role": "assistant", "content": answers()[0].decode()}}]})]


SCALES = ("1-6", "0-60", "1-6:0.5", "-2..2", "1 to 4", "0–1:0.1")
FILTERS = ('userName eq "ada"', 'active eq true and emails.value eq "a@x.org"', 'id eq "7" AND externalId eq ""')
GATES = ("qwk>=0.7", "abs(smd)<=0.15", "exact_agreement > 50", "r == .5", "qwk<1e-3")
FLAGS = ("status=ok", "status=ok|checked", "group=a")
ADDRESSES = ("http://127.0.0.1:8080/v1", "https://example.org/v1/chat/completions", "http://[::1]:80", "localhost")


def lines(*texts: str) -> list[bytes]:
    return [text.encode() for text in texts]


def study_features() -> list[bytes]:
    """Features of two essays, as a study keeps them."""
    from assay.io.essays.features_table import MEASURED, V1_COLUMNS

    names = ("id", *MEASURED, *V1_COLUMNS)
    rows = [",".join([name, *(str(0.5 * i) for i in range(len(names) - 1))]) for name in ("a", "b")]
    return ["\n".join([",".join(names), *rows, ""]).encode()]
