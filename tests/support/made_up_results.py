"""A made-up rating study with results of a realistic size and shape, for the tests of reports."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

from textassay.headline import Headline, SystemName
from textassay.marked_text import TONES, MarkedParagraph, MarkedSpan, MarkedText
from textassay.report.summary import (
    BalanceRow,
    BlockSummary,
    DesignSummary,
    MethodsParagraph,
    MethodsText,
    ParticipantsSummary,
    QuestionSummary,
    Reference,
    Section,
    SettingsSummary,
    ShownPage,
    StudySummary,
)
from textassay.results import Analysis, Figure, Record, Result, Table
from textassay.seeds import Stream

SYSTEMS = ("human", "neural-large", "neural-small", "retrieval", "template", "rules")
QUALITY = (0.95, 0.8, 0.15, -0.35, -0.6, -0.9)
"""How good each system is, in standard deviations of an answer."""
CRITERIA = {"clarity": "How clear is the text?", "fluency": "How well does the text read?"}
ITEMS = 24
PEOPLE = 42
REASONS = ("the same answer in 24 of 24 trials", "median response time of 0.6 s, below 1.5 s")
STUDY_FILE = """format: 1
title: How good are generated weather reports?
language: en
seed: 20
tables: {texts: texts.csv, references: references.csv}
participants: {wanted: 42}
blocks:
  - task: rating
    name: quality
    criteria:
      - {name: clarity, question: How clear is the text?, scale: {from: 1, to: 7}}
      - {name: fluency, question: How well does the text read?, scale: {from: 1, to: 7}}
metrics: [{metric: rouge-l}]
"""


@dataclass(frozen=True, kw_only=True)
class Found(Result):
    """A result whose records are given."""

    found: tuple[Record, ...] = ()

    def records(self) -> list[Record]:
        return [self.record(**record) for record in self.found]


@dataclass(frozen=True)
class Answer:
    """One made-up answer."""

    participant: str
    system: str
    value: int


def made_up(systems: Sequence[str] = SYSTEMS, *, seed: int = 20, title: str = "") -> tuple[StudySummary, list[Section]]:
    """The summary and the sections of a report."""
    codes = [f"p-{Stream(seed, 'code', n).below(36**6):06x}" for n in range(PEOPLE)]
    out = {codes[5]: REASONS[0], codes[17]: REASONS[1], codes[30]: f"{REASONS[0]}; {REASONS[1]}"}
    answers = {name: _answers(name, systems, codes, set(out), seed) for name in CRITERIA}
    kept = {name: [one for one in given if one.participant not in out] for name, given in answers.items()}
    diagnostics = _diagnostics(answers["clarity"], codes, set(out), seed)
    sections = [
        Section("Quality", _quality(kept, systems, diagnostics)),
        Section("Metrics and people", _metrics(kept, systems, seed)),
    ]
    return _summary(out, tuple(systems), title), sections


def _answers(criterion: str, systems: Sequence[str], codes: Sequence[str], out: set[str], seed: int) -> list[Answer]:
    stream = Stream(seed, "answers", criterion)
    answers = []
    for code in codes:
        leaning = stream.normal(sd=0.5)
        for item in range(ITEMS):
            place = (item + codes.index(code)) % len(systems)
            good = QUALITY[place % len(QUALITY)] - 0.02 * (place // len(QUALITY))
            value = 4.2 + 1.3 * (good + leaning + stream.normal(sd=0.9))
            answers.append(Answer(code, systems[place], 4 if code in out else min(7, max(1, round(value)))))
    return answers


def _mean(values: Sequence[float]) -> tuple[float, float, float, int]:
    """Mean, standard deviation, half of a 95 % interval (normal), number."""
    n = len(values)
    mean = sum(values) / n
    sd = math.sqrt(sum((value - mean) ** 2 for value in values) / (n - 1))
    return mean, sd, 1.96 * sd / math.sqrt(n), n


def _quality(answers: dict[str, list[Answer]], systems: Sequence[str], diagnostics: Figure) -> Analysis:
    results: list[Result] = []
    tables: list[Table] = []
    figures: list[Figure] = []
    headlines: list[Headline] = []
    for criterion, given in answers.items():
        stats = {name: _mean([one.value for one in given if one.system == name]) for name in systems}
        results += _results(criterion, stats, len({one.participant for one in given}))
        tables += _tables(criterion, stats)
        figures += _figures(criterion, given, stats)
        headlines.append(_headline(criterion, stats))
    warnings = ("clarity: 2 participants gave one text no answer; W leaves them out",)
    return Analysis(
        "quality", "Ratings of quality", tuple(results), tuple(tables), (*figures, diagnostics), warnings,
        tuple(headlines),
    )  # fmt: skip


Stats = dict[str, tuple[float, float, float, int]]


def _headline(criterion: str, stats: Stats) -> Headline:
    best = max(stats, key=lambda name: stats[name][0])
    first = (SystemName(best), f" was rated highest, {stats[best][0]:.2f}.")
    return Headline(criterion, (first, ("The systems differ.",), ("Based on 39 participants.",)))


def _pairs(stats: Stats) -> list[tuple[str, str, float, float, float]]:
    """First, second, difference, half of its interval, p (normal, times the number of pairs)."""
    found = []
    count = len(stats) * (len(stats) - 1) / 2
    for first, second in combinations(stats, 2):
        difference = stats[second][0] - stats[first][0]
        error = math.hypot(stats[first][2], stats[second][2]) / 1.96
        p = min(1.0, count * math.erfc(abs(difference) / error / math.sqrt(2)))
        found.append((first, second, difference, 3.0 * error, p))
    return found


def _results(criterion: str, stats: Stats, people: int) -> list[Result]:
    pairs = _pairs(stats)
    n = sum(stat[3] for stat in stats.values())
    means = [
        {"statistic": "mean", "value": mean, "of": criterion, "by": "system", "system": system, "n": n,
         "ci": (mean - half, mean + half)}
        for system, (mean, _, half, n) in stats.items()
    ]  # fmt: skip
    df = (len(stats) - 1, n - len(stats))
    return [
        Found(method="mean with t interval", settings={"confidence": 0.95}, found=tuple(means)),
        Found(method="one-way ANOVA", settings={"factor": "system", "n": n}, found=(
            {"statistic": "F", "value": 61.84, "of": criterion, "by": "system", "df": df, "p": 2e-9, "n": n},
            {"statistic": "F", "value": 1.318, "of": criterion, "by": "text", "df": (23, n - 24), "p": 0.1437, "n": n},
        )),
        Found(method="Tukey's HSD", settings={"alpha": 0.05, "n": n}, found=(
            *({"statistic": "difference", "value": d, "of": criterion, "p": p, "ci": (d - half, d + half),
               "first": first, "second": second} for first, second, d, half, p in pairs),
            {"statistic": "significant pairs", "value": sum(pair[4] < 0.05 for pair in pairs), "of": criterion,
             "by": "system", "n": n, "pairs": len(pairs), "alpha": 0.05},
        )),
        Found(method="Kendall's W", settings={"ties": "corrected"}, found=(
            {"statistic": "W", "value": 0.5371, "of": criterion, "p": 1e-7, "df": 5, "n": people},
        )),
    ]  # fmt: skip


def _tables(criterion: str, stats: Stats) -> list[Table]:
    n = sum(stat[3] for stat in stats.values())
    return [
        Table(f"{criterion}-means", f"Means of {criterion}", ("system", "n", "mean", "sd", "low", "high"),
              tuple((system, n, mean, sd, mean - half, mean + half) for system, (mean, sd, half, n) in stats.items()),
              "95 % intervals."),
        Table(f"{criterion}-anova", f"ANOVA of {criterion}", ("factor", "ss", "df", "ms", "F", "p", "eta2"), (
            ("System", 611.25, (len(stats) - 1, n - len(stats)), 122.25, 61.84, 2e-9, 0.2536),
            ("Text", 64.41, (23, n - 24), 2.8, 1.318, 0.1437, 0.0271),
            ("Evaluator", 402.7, (38, n - 39), 10.6, 4.912, 1e-7, 0.1671),
        ), "Three one-way analyses, each on its own."),
        Table(f"{criterion}-tukey", f"Tukey's HSD of {criterion}",
              ("first", "second", "difference", "ci", "p", "significant"),
              tuple((a, b, d, (d - half, d + half), p, p < 0.05) for a, b, d, half, p in _pairs(stats)),
              "Difference: second less first."),
        Table(f"{criterion}-agreement", f"Agreement on {criterion}", ("statistic", "value", "df", "p", "n"),
              (("W", 0.5371, 5, 1e-7, 39), ("alpha", math.nan, None, None, 39))),
    ]  # fmt: skip


def _figures(criterion: str, answers: Sequence[Answer], stats: Stats) -> list[Figure]:
    counts = [[sum(one.system == system and one.value == value for one in answers) for value in range(1, 8)]
              for system in stats]  # fmt: skip
    groups = [{"system": system, "mean": mean, "low": mean - half, "high": mean + half, "n": n}
              for system, (mean, _, half, n) in stats.items()]  # fmt: skip
    return [
        Figure(f"{criterion}-means", f"Means of {criterion}", "means",
               {"criterion": criterion, "scale_from": 1, "scale_to": 7, "groups": groups}, "95 % intervals."),
        Figure(f"{criterion}-answers", f"Answers on {criterion}", "distribution",
               {"criterion": criterion, "values": [str(n) for n in range(1, 8)], "systems": list(stats),
                "counts": counts}),
    ]  # fmt: skip


def _diagnostics(answers: Sequence[Answer], codes: Sequence[str], out: set[str], seed: int) -> Figure:
    people: list[dict[str, Any]] = []
    stream = Stream(seed, "times")
    for code in codes:
        values = [one.value for one in answers if one.participant == code]
        mean, sd, _, n = _mean(values)
        people.append({
            "participant": code, "mean": mean, "sd": sd, "excluded": code in out,
            "median_rt_ms": 600.0 if code in out else 1000 * math.exp(stream.normal(2.0, 0.35)),
            "modal_share": max(values.count(value) for value in values) / n,
            "agreement": math.nan if sd == 0 else 0.55 + stream.normal(sd=0.12),
        })  # fmt: skip
    return Figure("participants", "Participants at a glance", "diagnostics", {"participants": people})


def _metrics(answers: dict[str, list[Answer]], systems: Sequence[str], seed: int) -> Analysis:
    stream = Stream(seed, "metric")
    means = {name: _mean([one.value for one in answers["clarity"] if one.system == name])[0] for name in systems}
    points = [{"label": name, "system": name, "x": 0.18 + 0.05 * mean + stream.normal(sd=0.03), "y": mean}
              for name, mean in means.items()]  # fmt: skip
    texts = [{"label": f"item {n}", "system": name, "x": 0.2 + 0.05 * mean + stream.normal(sd=0.08),
              "y": mean + stream.normal(sd=0.6)} for name, mean in means.items() for n in range(ITEMS)]  # fmt: skip
    labels = {"x_label": "ROUGE-L (F1)", "y_label": "mean clarity"}
    rows = (("rouge-l", "clarity", "system", "pearson", 0.8716, 0.0237, len(systems)),
            ("rouge-l", "clarity", "text", "pearson", 0.3312, 4e-5, len(texts)),
            ("rouge-l", "clarity", "system", "spearman", 0.8286, 0.0583, len(systems)))  # fmt: skip
    columns = ("metric", "criterion", "level", "coefficient", "value", "p", "n")
    records = tuple({"statistic": row[3], "value": row[4], "of": f"{row[0]} and {row[1]}", "p": row[5], "n": row[6],
                     "level": row[2], "systems": "all"} for row in rows)  # fmt: skip
    return Analysis(
        "metrics", "Metrics and people",
        (Found(method="Pearson's product-moment correlation", settings={"p": "t"}, found=records),),
        (Table("correlations", "Correlations of ROUGE-L with people", columns, rows),),
        (Figure("rouge-l-systems", "ROUGE-L and clarity, by system", "scatter",
                {**labels, "points": points, "r": 0.8716, "p": 0.0237}),
         Figure("rouge-l-texts", "ROUGE-L and clarity, by text", "scatter",
                {**labels, "points": texts, "r": 0.3312, "p": 4e-5})),
        ("6 systems are few: the correlation by system is uncertain",),
        (Headline("Metrics and people", (("Over 6 systems, rouge-l agrees with people.",),)),),
        texts=(_marked_text("i1"), replace(_marked_text("i2"), detail=True)),
    )  # fmt: skip


def _marked_text(item: str) -> MarkedText:
    """A text with an event of every tone, of which some nest and cross."""
    words = " ".join(f"word{number}" for number in range(4 * TONES))
    spans = [
        MarkedSpan(24 * tone, 24 * tone + 14, f"kind {tone}", tone, f"a tip <{tone}>") for tone in range(TONES + 1)
    ]
    spans += [MarkedSpan(0, 6, "nested", 1), MarkedSpan(30, 60, "crossing", 2)]
    legend = tuple((tone, f"kind {tone}") for tone in range(TONES + 1))
    title = f"{item}, <b>human</b>"
    return MarkedText(item, title, (MarkedParagraph(words, tuple(spans)),), legend, ("“word0” causes “word9”.",))


def _summary(out: dict[str, str], systems: tuple[str, ...], title: str) -> StudySummary:
    scale = "1 (not at all) to 7 (perfectly), radio buttons"
    return StudySummary(
        title=title or "How good are generated weather reports?",
        language="en",
        description="Forecasts written by six systems from the same data, rated by readers.",
        made_at=datetime(2025, 6, 1, 12, 30, tzinfo=UTC),
        blocks=(
            BlockSummary("quality", "Rating scales", tuple(QuestionSummary(n, q, scale) for n, q in CRITERIA.items()),
                         ("2 practice trials came first.", "1 attention check for each participant.")),
        ),
        designs=(
            DesignSummary("quality", f"4 Latin squares of {len(systems)} × {len(systems)}", PEOPLE * ITEMS, (
                BalanceRow("an item, for one participant", 1, 1),
                BalanceRow("a system, for one participant", 4, 4),
                BalanceRow("an item × system, over participants", 6, 7),
            ), ("48 participants (a multiple of 6) would show every item × system equally often",)),
        ),
        participants=ParticipantsSummary(
            by_status={"completed": PEOPLE, "withdrawn": 2, "active": 1}, included=PEOPLE - len(out),
            excluded=len(out), wanted=PEOPLE, minutes=11.4, minutes_range=(6.2, 31.9),
            demographics=(
                Table("native", "Is English your first language?", ("answer", "participants"),
                      (("yes", 38), ("no", 4))),
                Table("age", "How old are you?", ("answer", "participants"),
                      (("18 to 29", 14), ("30 to 44", 17), ("45 to 59", 8), ("60 and over", 3))),
                Table("reading", "How often do you read forecasts?", ("answer", "participants"),
                      (("every day", 21), ("every week", 15), ("less often", 6))),
            ),
        ),
        systems=systems,
        exclusions=Table("excluded", "Excluded participants", ("participant", "reason"), tuple(out.items())),
        settings=SettingsSummary(
            STUDY_FILE, 20, {"textassay": "0.1.0", "Python": "3.11.2", "NumPy": "2.0.0", "SciPy": "1.14.0"},
            ("one-way ANOVA|factor:system|n:936|version:0.1.0", "rouge-l|nrefs:1|tok:unicode|version:0.1.0"),
            ("python -m pip install textassay==0.1.0", "textassay report weather"), {"study.yaml": "ab" * 32},
        ),
        methods=MethodsText(
            (
                MethodsParagraph("Material", ("Six systems wrote 144 texts.", "Each was <b>short</b> & p < .001.")),
                MethodsParagraph("Analysis", ("p was corrected after Holm (1979).",)),
            ),
            (Reference("Holm 1979", ("Sture Holm",), 1979, "A simple procedure", "Scandinavian Journal 6(2)"),),
            Table("metric-signatures", "Metrics", ("metric", "computed as"), (("rouge-l", "rouge-l|nrefs:1"),)),
            ("what participants were paid",),
        ),
        pages=(ShownPage("Consent", "<p><strong>Do you agree?</strong></p><ul><li>It is <em>safe</em>.</li></ul>"),),
        questionnaire=(QuestionSummary("native", "Is English your first language?", "yes / no"),),
        warnings=("The balance is not exact: some item × system pairs were seen 6 times, others 7 times.",),
    )  # fmt: skip
