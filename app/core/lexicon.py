"""Word lists of the matcher: stop words, negators, modals, opposites, synonyms, conditions."""

import re
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> tuple[str, ...]:
    return tuple(text.split())


STEMMERS: Final = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
}

STOP: Final[dict[str, frozenset[str]]] = {
    "en": _words(
        """
        a about all almost also although am an and any approx approximately are around
        as at be because been being between both but by can cannot circa could currently
        d did do does done each either every except for forth from had has have having
        he her here his i if in including into is it its just least less ll longer m may
        might more most must nearly neither never no none nor not note now of only onto
        or other ought our out over own per please re respectively roughly s same set
        shall she should since so some such t than that the their them then there these
        they this those through to too under unless until up upon us ve via was we were
        when where which while who whom whose will with within without would you your
        """
    ),
    "de": _words(
        """
        als am an auch auf bei das dem den der des die ein eine einem einen einer er es
        für haben hat im in ist kein keine mit nicht nur oder sie sind und vom von war
        waren werden wir wird wurde zu zum zur
        """
    ),
    "fr": _words(
        """
        a au aux avec ce cette d dans de des du elle en est et il ils l la le les n ne
        ont ou par pas plus pour que qui se sont sur un une à était
        """
    ),
}

FUNCTION: Final[dict[str, frozenset[str]]] = {
    "en": _words(
        """
        a an and are be by for is may must not of shall the to within
        """
    ),
    "de": _words(
        """
        auf beträgt das dem den der die ein eine für ist nicht sind und von werden wird
        zu
        """
    ),
    "fr": _words(
        """
        dans des du est et l la le les n pas pour sont sur une
        """
    ),
    "es": _words(
        """
        con del el es las los para por son una y
        """
    ),
}

NEGATORS: Final = _words(
    """
    aucun aucune cannot jamais kein keine keinen keiner neither never nicht nie niemals
    ninguna ningún no non none nor not nunca ohne pas sans sin without
    """
)

MODALS: Final = {
    "may": 1,
    "can": 1,
    "might": 1,
    "could": 1,
    "should": 2,
    "must": 3,
    "shall": 3,
    "darf": 1,
    "kann": 1,
    "können": 1,
    "dürfen": 1,
    "sollte": 2,
    "sollen": 2,
    "muss": 3,
    "müssen": 3,
}

OPPOSITES: Final = _pairs(
    """
    enable|enabled/disable|disabled
    mandatory|required|compulsory|obligatory/optional|voluntary
    permit|permitted|allow|allowed|authorized/prohibit|prohibited|forbid|forbidden|deny|denied|ban|banned|blocked
    rise|increase|grow/fall|decrease|decline|shrink|drop on/off active/inactive true/false
    yes/no include|included|including/exclude|excluded|excluding minimum|min/maximum|max
    accept|accepted/reject|rejected|refuse|refused open/closed|close public/private
    internal/external online/offline up/down before/after above/below first/last
    start|begin/end|stop success|succeed/failure|fail|failed valid/invalid
    available/unavailable encrypted/unencrypted|plaintext free/paid full/partial major/minor
    high/low higher/lower early/late earlier/later always/never buy|buyer/sell|seller
    import/export lawful|legal/unlawful|illegal same/different
    temporary|temporarily/permanent|permanently gain/loss profit/loss
    grant|granted/revoke|revoked exclusive/nonexclusive
    automatic|automatically/manual|manually stable/unstable
    operational|working|up/down|broken resolved/unresolved|ongoing
    supported/deprecated|unsupported daily/weekly|monthly|yearly|annually|quarterly
    monthly/yearly|annually|quarterly|weekly quarterly/yearly|annually either/neither
    everyone/nobody more/less|fewer
    """
)

_SAME: Final = {
    "kept": "retained",
    "keep": "retain retains retaining kept",
    "allow": "permitted permit permits allowed allows",
    "tell": "notify notified notifies inform informed told",
    "begin": "commence commences start starts begins",
    "end": "terminate terminates terminated ends ended",
    "buy": "purchase purchases purchased bought",
    "use": "utilise utilize utilised utilized using",
    "give": "given gave",
    "pay": "paid",
    "issue": "issued",
    "cap": "capped",
    "maximum": "max",
    "minimum": "min",
    "license": "licence licences",
    "organization": "organisation organisations",
    "take": "takes took",
    "mandatory": "obligatory",
}

SYNONYMS: Final = {word: plain for plain, words in _SAME.items() for word in words.split()}

CONDITIONS: Final = {
    name: re.compile(said)
    for name, said in {
        "only": r"\b(?:only|solely|exclusively|nur|seulement|uniquement)\b",
        "unless": r"\bunless\b|\bes sei denn\b|\bsauf si\b",
        "except": r"\bexcept\w*\b|\bexclud\w+\b|\bother than\b|\bapart from\b"
        r"|\bausgenommen\b|\bsauf\b",
        "if": r"\bif\b|\bprovided\b|\bsubject to\b|\bin case\b|\b(?:as|so) long as\b|\bwhere\b"
        r"|\bwenn\b|\bfalls\b",
        "limited": r"\blimited to\b|\brestricted to\b",
        "by default": r"\bby default\b|\bstandardmäßig\b",
        "however": r"\bhowever\b|\bnotwithstanding\b|\bbut\b",
        "until": r"\buntil\b|\btill\b|\bbis zum\b",
        "hitherto": r"\bno longer\b|\bformerly\b|\bused to\b|\bnicht mehr\b|\bne .{1,20} plus\b",
    }.items()
}

QUANTIFIERS: Final = {
    "only": re.compile(r"\bonly\b(?! if)|\bnur\b"),
    "some": re.compile(
        r"\b(?:some|certain|selected|many|most|few|several|a number of|einige|certains)\b"
    ),
    "all": re.compile(r"\b(?:all|every|each|alle|jede[rns]?|tous|toutes|chaque)\b"),
}

HISTORY: Final = re.compile(
    r"\((?:[^()]{0,80}\b(?:previously|formerly|before|was|until|originally|vormals|früher)\b"
    r"[^()]{0,80})\)"
    r"|\b(?:until|before|prior to|up to) (?:\w+ ){0,3}(?:19|20)\d\d\b[^;.]{0,120}"
    r"\b(?:was|were|had|used)\b[^;.]{0,120}"
    r"|\b(?:previously|formerly|originally|used to|no longer|früher|zuvor|nicht mehr)\b"
    r"[^;.,)]{0,120}"
    r"|\b(?:was|were)\b[^;.]{0,120}(?=[;,] (?:it|they|this)? ?(?:is|are) now\b)",
    re.IGNORECASE,
)

OVERRIDE: Final = re.compile(
    r"\b(?:no longer|supersed\w+|replac\w+|instead|as of now|with immediate effect"
    r"|ha(?:s|ve) changed|was wrong|correction|withdrawn|revoked|obsolete|nicht mehr|ersetzt)\b",
    re.IGNORECASE,
)
