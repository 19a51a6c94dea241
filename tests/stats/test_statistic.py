"""Names of what was measured go into the records."""

from textassay.stats import anova, mean_interval


def test_about_names_what_was_measured_and_keeps_the_rest():
    result = mean_interval([1, 2, 3])
    named = result.about("clarity", "system A")
    (record,) = named.records()
    assert (record["of"], record["by"]) == ("clarity", "system A")
    assert (named.mean, named.settings, result.of) == (result.mean, result.settings, "")


def test_about_keeps_the_factor_unless_told():
    result = anova([1, 2, 3, 4], list("aabb"), factor="system").about("clarity")
    assert (result.of, result.by) == ("clarity", "system")
