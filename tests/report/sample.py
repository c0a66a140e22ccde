"""A rich report of an invented evaluation: every kind of block, and labels that mean harm.

Also the shortest tour of how a report is put together.
"""

import math
import random

from assay.metrics.intervals import Estimate
from assay.report.charts.charts import (
    HeatMap,
    IntervalPlot,
    IntervalRow,
    Level,
    LevelPlot,
    PairedBars,
    PairOfBars,
    Series,
)
from assay.report.document.document import Disclosure, Document, KeyFigure, Note, Paragraph, Section, Subheading
from assay.report.document.values import (
    INTEGER,
    PERCENT,
    SIGNED,
    Band,
    Code,
    Column,
    FormattedEstimate,
    Strong,
    Table,
    Verdict,
)

HOSTILE = '<script>alert("x")</script> #panic("x") $x$ *b* @ref \\ // "q" =SUM(A1) & 名前 🙂'

CONFUSION = (
    (9, 8, 5, 0, 0, 0),
    (2, 31, 29, 5, 0, 0),
    (2, 17, 64, 28, 3, 0),
    (0, 0, 39, 47, 23, 3),
    (0, 0, 4, 26, 33, 11),
    (0, 0, 0, 5, 7, 11),
)
GROUPS = (
    ("English", 207, -0.01, -0.07, 0.06, "met"),
    ("Spanish", 103, 0.01, -0.09, 0.12, "met, uncertain"),
    ("Vietnamese", 46, -0.20, -0.37, -0.06, "not met, uncertain"),
    ("Mandarin", 31, 0.04, -0.11, 0.20, "met, uncertain"),
    ("Arabic", 28, -0.07, -0.25, 0.11, "met, uncertain"),
    ("Portuguese", 24, 0.03, -0.17, 0.22, "met, uncertain"),
    ("Tagalog", 19, 0.37, 0.18, 0.55, "not met"),
    ("Hmong", 17, -0.02, -0.24, 0.19, "met, uncertain"),
    ("Somali", 15, 0.09, -0.15, 0.33, "met, uncertain"),
    (
        "French or another language spoken at home by the whole family",
        12,
        0.05,
        -0.21,
        0.30,
        "met, uncertain",
    ),
    (HOSTILE, 11, -0.04, -0.34, 0.26, "met, uncertain"),
    ("Not stated", 3, math.nan, math.nan, math.nan, None),
)


def sample_document() -> Document:
    """A plausible evaluation of 412 responses."""
    return Document(
        title="Evaluation of “persuasive-9, generic 12”",
        subtitle="System score against human score, 412 responses, scale 1 to 6. 15 November 2026. Sample data.",
        verdict_lead="Four of six thresholds are met.",
        verdict_rest=(
            "The system agrees with people as well as a second reader does; "
            "essays by Vietnamese and Tagalog speakers seem to be scored unlike the others."
        ),
        key_figures=_key_figures(),
        sections=(
            Section("Data and exclusions", _exclusions()),
            Section("Agreement", _agreement()),
            Section("Human and human", _human_human()),
            Section("Subgroups", _subgroups()),
            Section("Distributions", _distributions()),
            Section("Details", _details()),
            Section("Provenance", _provenance()),
        ),
        footer="Sample data, invented for this report. No real student, essay or score. Assay 0.1.",
    )


def _key_figures() -> tuple[KeyFigure, ...]:
    small, group = Band(-0.15, 0.15), Band(-0.10, 0.10)
    return (
        KeyFigure("Agreement with people", "QWK, at least 0.70", Estimate(0.76, 0.72, 0.79), Band(least=0.7), "met"),
        KeyFigure(
            "Correlation",
            "Pearson r, at least 0.70",
            Estimate(0.72, 0.67, 0.77),
            Band(least=0.7),
            "met, uncertain",
        ),
        KeyFigure("Difference of means", "SMD, within ±0.15", Estimate(0.03, -0.04, 0.09), small, "met", SIGNED),
        KeyFigure(
            "Loss against a second reader",
            "QWK, at most 0.10 lower",
            Estimate(0.01, -0.05, 0.06),
            Band(most=0.1),
            "met",
            SIGNED,
        ),
        KeyFigure(
            "Largest group difference",
            "Vietnamese, within ±0.10",
            Estimate(-0.20, -0.37, -0.06),
            group,
            "not met, uncertain",
            SIGNED,
        ),
        KeyFigure("Tagalog speakers", "DSM, within ±0.10", Estimate(0.37, 0.18, 0.55), group, "not met", SIGNED),
        KeyFigure(
            "True score",
            "PRMSE, at least 0.80",
            Estimate(reason="no response was read twice"),
            Band(least=0.8),
        ),
    )


def _exclusions() -> tuple[Paragraph | Table | Note, ...]:
    why = (
        (
            "Read",
            426,
            (
                "columns guessed: ",
                Code("id"),
                ", ",
                Code("human"),
                ", ",
                Code("engine_raw"),
                ", ",
                Code("human_2"),
            ),
        ),
        ("No human score", -9, ("empty or not a number; listed in ", Code("tables/excluded.csv"))),
        ("Human score 0", -4, "zero scores are left out by default (off topic, blank)"),
        ("No system score", -1, "row 288: the text has 31 words"),
    )
    table = Table(
        "exclusions",
        "Rows read, left out and used",
        (Column("Step"), Column("Rows", "number", INTEGER), Column("Why")),
        why,
        foot=(("Used", 412, None),),
    )
    return (
        Paragraph(("426 rows were read from ", Code("autumn_scores.csv"), "; ", Strong("412 could be used"), ".")),
        table,
        Note(
            "No response was read by three people, so rater effects cannot be told apart from true scores.",
            "caution",
        ),
        Note(("Scores beyond the scale were trimmed to ", Code("0.5002"), " and ", Code("6.4998"), ".")),
    )


def _agreement() -> tuple[Paragraph | Table | HeatMap | LevelPlot, ...]:
    met: Verdict = "met"
    rows = tuple(
        (name, e, e, threshold, verdict)
        for name, e, threshold, verdict in (
            ("QWK", Estimate(0.7563, 0.72, 0.79), "at least 0.70", met),
            ("Pearson r", Estimate(0.79, 0.75, 0.82), "at least 0.70", met),
            ("SMD", Estimate(0.03, -0.04, 0.09), "within ±0.15", met),
            ("Exact agreement", FormattedEstimate(0.473, 0.425, 0.522, number=PERCENT), "none set", None),
            ("Exact or adjacent", FormattedEstimate(0.934, 0.91, 0.959, number=PERCENT), "none set", None),
            ("PRMSE", Estimate(reason="no response was read twice"), "at least 0.80", None),
        )
    )
    columns = (
        Column("Figure"),
        Column("Value", "number"),
        Column("95 % interval", "interval"),
        Column("Threshold"),
        Column("Verdict", "verdict"),
    )
    bias = (
        (0.88, 0.57, 1.19, 22),
        (0.51, 0.37, 0.65, 67),
        (0.09, -0.04, 0.22, 114),
        (-0.08, -0.23, 0.06, 112),
        (-0.31, -0.48, -0.15, 74),
        (-0.7, -0.97, -0.42, 23),
    )
    return (
        Paragraph("People give 3.53 on average (SD 1.26), the system 3.57 (SD 1.15): a narrower spread."),
        Table("agreement", "Agreement of system and human score", columns, rows),
        HeatMap(
            name="confusion",
            title="Human and system score",
            says="47 % agree exactly, 93 % within one point; 27 of 412 are two or more apart.",
            alt="Confusion table of human and system scores, 1 to 6. Most responses lie on or beside the diagonal.",
            levels=tuple("123456"),
            counts=CONFUSION,
        ),
        LevelPlot(
            name="bias_by_level",
            title="Bias by human score",
            says="Low essays get more than people give, high essays less: the system pulls to the middle.",
            alt="Bias falls from +0.88 at score 1 to −0.70 at score 6 and crosses zero between 3 and 4.",
            levels=tuple(Level(str(i), Estimate(*b[:3]), b[3]) for i, b in enumerate(bias, 1)),
            band=Band(-0.5, 0.5),
        ),
    )


def _human_human() -> tuple[Paragraph | IntervalPlot, ...]:
    pairs = (
        ("QWK", (0.76, 0.72, 0.79), (0.77, 0.71, 0.82)),
        ("Pearson r", (0.79, 0.75, 0.82), (0.78, 0.72, 0.83)),
        ("Kappa", (0.33, 0.27, 0.39), (0.38, 0.29, 0.46)),
    )
    return (
        Paragraph(
            "Two people read 197 responses. They reach QWK 0.77 (0.71 to 0.82); "
            "on the same responses the system is 0.01 lower (−0.05 to 0.06)."
        ),
        IntervalPlot(
            name="human_human",
            title="Agreement with the system and with a second reader",
            says="The system agrees with the first reader about as well as the second reader does.",
            alt="Three rows with two intervals each; the intervals overlap in every row.",
            rows=tuple(IntervalRow(n, (Estimate(*s), Estimate(*h)), 197) for n, s, h in pairs),
            series=(Series("human and system", "system"), Series("human and human", "human")),
            row_title="Figure",
            axis_title="Agreement, 1 is perfect",
            band=Band(least=0.7),
        ),
    )


def _subgroups() -> tuple[Paragraph | Table | IntervalPlot, ...]:
    few = "fewer than 10 responses"
    estimates = [Estimate(v, low, high, few if math.isnan(v) else "") for _, _, v, low, high, _ in GROUPS]
    columns = (
        Column("First language"),
        Column("Responses", "number", INTEGER),
        Column("QWK", "estimate", undefined=few),
        Column("Exact agreement", "estimate", PERCENT, undefined=few),
        Column("Difference of standardised means", "estimate", SIGNED),
        Column("Within ±0.10", "verdict"),
    )
    rows = tuple(
        (
            name,
            n,
            Estimate(0.75 + 0.2 * abs(v), 0.66 + 0.1 * abs(v), 0.9),
            Estimate(0.47 + v / 5, 0.4, 0.55),
            e,
            verdict,
        )
        if not math.isnan(v)
        else (name, n, Estimate(), Estimate(), e, None)
        for (name, n, v, _, _, verdict), e in zip(GROUPS, estimates, strict=True)
    )
    return (
        Paragraph("Agreement is high in each group. Two are shifted: Vietnamese speakers down, Tagalog speakers up."),
        IntervalPlot(
            name="dsm_by_first_language",
            title="Difference by first language",
            says="Vietnamese speakers are scored too low, Tagalog speakers too high; the latter is certain.",
            alt="Twelve groups around zero. All but Vietnamese (−0.20) and Tagalog (+0.37) lie within ±0.10.",
            rows=tuple(IntervalRow(g[0], (e,), g[1]) for g, e in zip(GROUPS, estimates, strict=True)),
            row_title="First language",
            axis_title="Difference of standardised means, system minus human",
            number=SIGNED,
            band=Band(-0.1, 0.1),
            zero=True,
        ),
        Table("subgroups", "Agreement and difference by first language", columns, rows),
    )


def _distributions() -> tuple[Paragraph | Subheading | PairedBars | HeatMap | LevelPlot, ...]:
    human, system = [sum(row) for row in CONFUSION], [sum(column) for column in zip(*CONFUSION, strict=True)]
    long_counts = _long_confusion()
    labels = tuple(str(i) for i in range(61))
    return (
        Paragraph("The system gives a 3 more often than people do, and a 1 less often."),
        PairedBars(
            name="distribution",
            title="Human and system scores",
            says="The system gives a 3 more often than people do, and a 1 less often.",
            alt="Paired bars for scores 1 to 6. Largest gap at score 3: human 27.7 %, system 34.2 %.",
            points=tuple(PairOfBars(str(i), h, s) for i, (h, s) in enumerate(zip(human, system, strict=True), 1)),
        ),
        Subheading("The raw scale, 0 to 60"),
        PairedBars(
            name="distribution_raw",
            title="Distribution on the raw scale",
            says="Both distributions have one peak near 30; the system’s is narrower.",
            alt="Columns for raw scores 0 to 60 with one peak near 30 for both human and system.",
            points=tuple(
                PairOfBars(label, sum(long_counts[i]), sum(row[i] for row in long_counts))
                for i, label in enumerate(labels)
            ),
            point_title="Raw score",
        ),
        HeatMap(
            name="confusion_raw",
            title="Human and system score on the raw scale",
            says="Scores gather along the diagonal; at the ends the system stays nearer to the middle.",
            alt="Shaded square of 61 by 61 raw scores; responses lie in a band along the diagonal.",
            levels=labels,
            counts=long_counts,
            near=3,
        ),
        LevelPlot(
            name="bias_raw",
            title="Bias on the raw scale",
            says="The bias falls steadily from the low to the high end of the scale.",
            alt="Bias at each of 61 raw scores, from about +4 at 0 to −4 at 60.",
            levels=tuple(_raw_level(i) for i in range(61)),
            level_title="Raw human score",
        ),
    )


def _raw_level(i: int) -> Level:
    if i in (0, 60):
        return Level(str(i), Estimate(reason="no response has this score"), 0)
    centre, width = (30 - i) * 0.14, 0.8 + abs(30 - i) * 0.06
    return Level(str(i), Estimate(centre, centre - width, centre + width), 4)


def _long_confusion() -> tuple[tuple[int, ...], ...]:
    rng = random.Random(11)
    counts = [[0] * 61 for _ in range(61)]
    for _ in range(412):
        human = min(60, max(0, round(rng.gauss(30, 11))))
        system = min(60, max(0, round(30 + 0.86 * (human - 30) + rng.gauss(0, 4))))
        counts[human][system] += 1
    return tuple(tuple(row) for row in counts)


def _details() -> tuple[Paragraph | Disclosure, ...]:
    forms = ("raw", "raw_trim", "raw_trim_round", "scale", "scale_trim", "scale_trim_round")
    names = (
        "N",
        "h_mean",
        "h_sd",
        "sys_mean",
        "sys_sd",
        "corr",
        "wtkappa",
        "R2",
        "RMSE",
        "SMD",
        "exact_agr",
        "adj_agr",
    )
    columns = (Column("Form"), Column(names[0], "number", INTEGER), *(Column(n, "number") for n in names[1:]))
    rows = tuple((form, 412, 3.53, 1.26, 3.57, 1.15, 0.79, 0.756, 0.59, 0.81, 0.03, 47.3, 93.4) for form in forms)
    return (
        Paragraph(
            (
                "Every figure for raw, trimmed and rounded scores is in ",
                Code("tables/"),
                " beside this report.",
            )
        ),
        Disclosure(
            "All six forms of the system score",
            (
                Table("eval", "Every figure for every form", columns, rows),
                Paragraph("SMD is standardised by the human SD."),
            ),
        ),
    )


def _provenance() -> tuple[Paragraph, ...]:
    command = "assay evaluate autumn_scores.csv --human human --system engine_raw --second-human human_2"
    return (
        Paragraph(
            ("Assay 0.1 · input SHA-256 ", Code("4f1c" * 15 + "a92e"), " · seed 11 · ", Code(command)),
            quiet=True,
        ),
        Paragraph(("A file name that means harm: ", Code(HOSTILE)), quiet=True),
    )
