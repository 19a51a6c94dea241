"""The works that a methods section cites: facts only, by the words of their citation."""

from __future__ import annotations

import re

from textassay.report.summary import Reference

_WORKS = (
    Reference(
        "Bates et al. 2015",
        ("Douglas Bates", "Martin Mächler", "Ben Bolker", "Steve Walker"),
        2015,
        "Fitting linear mixed-effects models using lme4",
        "Journal of Statistical Software 67(1)",
    ),
    Reference(
        "Belz & Kow 2010",
        ("Anja Belz", "Eric Kow"),
        2010,
        "Comparing rating scales and preference judgements in language evaluation",
        "Proceedings of the 6th International Natural Language Generation Conference",
    ),
    Reference(
        "Bradley & Terry 1952",
        ("Ralph A. Bradley", "Milton E. Terry"),
        1952,
        "Rank analysis of incomplete block designs: I. The method of paired comparisons",
        "Biometrika 39(3/4)",
    ),
    Reference(
        "Brunner, Dette & Munk 1997",
        ("Edgar Brunner", "Holger Dette", "Axel Munk"),
        1997,
        "Box-type approximations in nonparametric factorial designs",
        "Journal of the American Statistical Association 92(440)",
    ),
    Reference(
        "Cahill 2009",
        ("Aoife Cahill",),
        2009,
        "Correlating human and automatic evaluation of a German surface realiser",
        "Proceedings of the ACL-IJCNLP 2009 Conference Short Papers",
    ),
    Reference(
        "Clark 1973",
        ("Herbert H. Clark",),
        1973,
        "The language-as-fixed-effect fallacy: A critique of language statistics in psychological research",
        "Journal of Verbal Learning and Verbal Behavior 12(4)",
    ),
    Reference(
        "Conover & Iman 1979",
        ("William J. Conover", "Ronald L. Iman"),
        1979,
        "On multiple-comparisons procedures",
        "Technical Report LA-7677-MS, Los Alamos Scientific Laboratory",
    ),
    Reference(
        "Davidson 1970",
        ("Roger R. Davidson",),
        1970,
        "On extending the Bradley–Terry model to accommodate ties in paired comparison experiments",
        "Journal of the American Statistical Association 65(329)",
    ),
    Reference(
        "Efron 1979",
        ("Bradley Efron",),
        1979,
        "Bootstrap methods: Another look at the jackknife",
        "The Annals of Statistics 7(1)",
    ),
    Reference(
        "Ferreira & Clifton 1986",
        ("Fernanda Ferreira", "Charles Clifton"),
        1986,
        "The independence of syntactic processing",
        "Journal of Memory and Language 25(3)",
    ),
    Reference(
        "Friedman 1937",
        ("Milton Friedman",),
        1937,
        "The use of ranks to avoid the assumption of normality implicit in the analysis of variance",
        "Journal of the American Statistical Association 32(200)",
    ),
    Reference(
        "Gatt & Portet 2010",
        ("Albert Gatt", "François Portet"),
        2010,
        (
            "Textual properties and task-based evaluation: Investigating the role of surface properties, "
            "structure and content"
        ),
        "Proceedings of the 6th International Natural Language Generation Conference",
    ),
    Reference(
        "Holm 1979",
        ("Sture Holm",),
        1979,
        "A simple sequentially rejective multiple test procedure",
        "Scandinavian Journal of Statistics 6(2)",
    ),
    Reference(
        "Jaeger 2008",
        ("T. Florian Jaeger",),
        2008,
        "Categorical data analysis: Away from ANOVAs (transformation or not) and towards logit mixed models",
        "Journal of Memory and Language 59(4)",
    ),
    Reference(
        "Just et al. 1982",
        ("Marcel A. Just", "Patricia A. Carpenter", "Jacqueline D. Woolley"),
        1982,
        "Paradigms and processes in reading comprehension",
        "Journal of Experimental Psychology: General 111(2)",
    ),
    Reference(
        "Kemeny 1959",
        ("John G. Kemeny",),
        1959,
        "Mathematics without numbers",
        "Daedalus 88(4)",
    ),
    Reference(
        "Kendall & Babington Smith 1939",
        ("Maurice G. Kendall", "Bernard Babington Smith"),
        1939,
        "The problem of m rankings",
        "The Annals of Mathematical Statistics 10(3)",
    ),
    Reference(
        "Krippendorff 2004",
        ("Klaus Krippendorff",),
        2004,
        "Content analysis: An introduction to its methodology",
        "Sage, 2nd edition",
    ),
    Reference(
        "Kuznetsova, Brockhoff & Christensen 2017",
        ("Alexandra Kuznetsova", "Per B. Brockhoff", "Rune H. B. Christensen"),
        2017,
        "lmerTest package: Tests in linear mixed effects models",
        "Journal of Statistical Software 82(13)",
    ),
    Reference(
        "Lapata 2006",
        ("Mirella Lapata",),
        2006,
        "Automatic evaluation of information ordering: Kendall's tau",
        "Computational Linguistics 32(4)",
    ),
    Reference(
        "Liang & Zeger 1986",
        ("Kung-Yee Liang", "Scott L. Zeger"),
        1986,
        "Longitudinal data analysis using generalized linear models",
        "Biometrika 73(1)",
    ),
    Reference(
        "Lorch & Myers 1990",
        ("Robert F. Lorch", "Jerome L. Myers"),
        1990,
        "Regression analyses of repeated measures data in cognitive research",
        "Journal of Experimental Psychology: Learning, Memory, and Cognition 16(1)",
    ),
    Reference(
        "Madnani et al. 2007",
        (
            "Nitin Madnani",
            "Rebecca Passonneau",
            "Necip Fazil Ayan",
            "John Conroy",
            "Bonnie Dorr",
            "Judith Klavans",
            "Dianne O'Leary",
            "Judith Schlesinger",
        ),
        2007,
        "Measuring variability in sentence ordering for news summarization",
        "Proceedings of the Eleventh European Workshop on Natural Language Generation",
    ),
    Reference(
        "McCullagh 1980",
        ("Peter McCullagh",),
        1980,
        "Regression models for ordinal data",
        "Journal of the Royal Statistical Society, Series B 42(2)",
    ),
    Reference(
        "Nemenyi 1963",
        ("Peter B. Nemenyi",),
        1963,
        "Distribution-free multiple comparisons",
        "PhD thesis, Princeton University",
    ),
    Reference(
        "Plackett 1975",
        ("Robin L. Plackett",),
        1975,
        "The analysis of permutations",
        "Journal of the Royal Statistical Society, Series C 24(2)",
    ),
    Reference(
        "Satterthwaite 1946",
        ("Franklin E. Satterthwaite",),
        1946,
        "An approximate distribution of estimates of variance components",
        "Biometrics Bulletin 2(6)",
    ),
    Reference(
        "Schuirmann 1987",
        ("Donald J. Schuirmann",),
        1987,
        (
            "A comparison of the two one-sided tests procedure and the power approach for assessing the "
            "equivalence of average bioavailability"
        ),
        "Journal of Pharmacokinetics and Biopharmaceutics 15(6)",
    ),
    Reference(
        "Shrout & Fleiss 1979",
        ("Patrick E. Shrout", "Joseph L. Fleiss"),
        1979,
        "Intraclass correlations: Uses in assessing rater reliability",
        "Psychological Bulletin 86(2)",
    ),
    Reference(
        "Williams 1949",
        ("Evan J. Williams",),
        1949,
        "Experimental designs balanced for the estimation of residual effects of treatments",
        "Australian Journal of Scientific Research, Series A 2(2)",
    ),
)
BIBLIOGRAPHY = {work.cited: work for work in _WORKS}
_IN_TEXT = re.compile(r"’s? \((\d{4})\)|'s? \((\d{4})\)| \((\d{4})\)")


def cited_in(text: str) -> tuple[Reference, ...]:
    """The works that a text cites, as `(Holm 1979)`, `Holm (1979)` or `Holm's (1979)`, by their authors.

    >>> [work.year for work in cited_in("corrected after Holm (1979); models (Bates et al. 2015)")]
    [2015, 1979]
    """
    plain = _IN_TEXT.sub(lambda found: f" {found[1] or found[2] or found[3]}", text)
    return tuple(work for cited, work in BIBLIOGRAPHY.items() if cited in plain)
