"""English function words, which ROUGE can leave out."""

from __future__ import annotations

_ARTICLES_AND_QUANTIFIERS = "a an the this that these those each every either neither both all any some such no"
_PRONOUNS = (
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers "
    "herself it its itself they them their theirs themselves one who whom whose which what whoever whatever"
)
_PREPOSITIONS = (
    "about above across after against along among around as at before behind below beneath beside between beyond by "
    "down during for from in inside into near of off on onto out outside over past per since through throughout to "
    "toward towards under until up upon via with within without"
)
_CONJUNCTIONS = "and or but nor so yet if because although though unless while whereas whether than when where why how"
_AUXILIARIES = (
    "am is are was were be been being do does did doing done have has had having can could may might must shall "
    "should will would"
)
_ADVERBS = "not very too also just only then there here again once more most own same other"
# What is left of contractions when an apostrophe parts words: it's, don't, I'm, we've, they'll, you're, he'd.
_REMNANTS = "s t d m ll ve re don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn"

STOP_WORDS = frozenset(
    " ".join(
        (
            _ARTICLES_AND_QUANTIFIERS,
            _PRONOUNS,
            _PREPOSITIONS,
            _CONJUNCTIONS,
            _AUXILIARIES,
            _ADVERBS,
            _REMNANTS,
        )
    ).split()
)
"""In lower case."""
