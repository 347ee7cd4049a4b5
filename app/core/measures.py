"""Units of measure, currencies and calendar words that claims state quantities in."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final


def _paired(words: list[str]) -> Iterator[tuple[str, str]]:
    return zip(words[::2], words[1::2], strict=True)


CURRENCIES: Final[dict[str, str]] = {
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR",
    "$": "USD", "usd": "USD", "us$": "USD", "dollar": "USD", "dollars": "USD",
    "£": "GBP", "gbp": "GBP", "pound": "GBP", "pounds": "GBP",
    "¥": "JPY", "jpy": "JPY", "yen": "JPY",
    "chf": "CHF", "franken": "CHF", "francs": "CHF",
    "cad": "CAD", "aud": "AUD", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "pln": "PLN",
    "inr": "INR", "cny": "CNY",
}  # fmt: skip

SCALES: Final[dict[str, int]] = {
    "k": 10**3, "thousand": 10**3, "tausend": 10**3, "mille": 10**3,
    "m": 10**6, "mn": 10**6, "mio": 10**6, "million": 10**6, "millions": 10**6, "millionen": 10**6,
    "b": 10**9, "bn": 10**9, "mrd": 10**9, "billion": 10**9, "billions": 10**9,
    "milliarden": 10**9, "milliards": 10**9, "trillion": 10**12, "trillions": 10**12,
}  # fmt: skip

SHORT_SCALES: Final = frozenset({"k", "m", "b"})  # a scale only beside a currency

_LASTING: Final[dict[tuple[str, int], str]] = {
    ("s", 1): "second seconds sec secs sekunde sekunden",
    ("s", 60): "minute minutes min mins minuten",
    ("s", 3600): "hour hours hr hrs stunde stunden heure heures",
    ("s", 86400): "day days tag tage tagen jour jours",
    ("s", 604800): "week weeks woche wochen semaine semaines",
    ("s", 1209600): "fortnight fortnights",
    ("month", 1): "month months monat monate monaten mois",
    ("month", 3): "quarter quarters quartal quartale",
    ("month", 12): "year years jahr jahre jahren an ans année années",
    ("month", 120): "decade decades jahrzehnt jahrzehnte",
}

DURATIONS: Final = {word: unit for unit, words in _LASTING.items() for word in words.split()}

WORKING: Final = frozenset({"business", "working", "work", "calendar", "werk", "ouvrables"})

_MEASURED: Final = {
    "byte": "b 1 byte 1 bytes 1 kb 1e3 mb 1e6 gb 1e9 tb 1e12 pb 1e15 kib 1024 mib 1048576"
    " gib 1073741824 tib 1099511627776",
    "metre": "mm 0.001 cm 0.01 m 1 metre 1 metres 1 meter 1 meters 1 km 1000 kilometre 1000"
    " kilometres 1000 kilometers 1000",
    "gram": "g 1 gram 1 grams 1 kg 1000 kilogram 1000 kilograms 1000",
    "°C": "°c 1 degrees 1",
    "°F": "°f 1",
    "hertz": "hz 1 khz 1e3 mhz 1e6 ghz 1e9",
    "watt": "w 1 kw 1e3 mw 1e6",
}

MEASURES: Final[dict[str, tuple[str, Decimal]]] = {
    name: (base, Decimal(factor))
    for base, pairs in _MEASURED.items()
    for name, factor in _paired(pairs.split())
}

MONTHS: Final[dict[str, int]] = {
    name: nth
    for nth, names in enumerate(
        (
            "january jan januar janvier", "february feb februar février", "march mar märz mars",
            "april apr avril", "may mai", "june jun juni juin", "july jul juli juillet",
            "august aug août", "september sep sept septembre", "october oct oktober octobre",
            "november nov novembre", "december dec dezember décembre",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip

WEEKDAYS: Final[dict[str, int]] = {
    name: nth
    for nth, names in enumerate(
        (
            "monday montag lundi", "tuesday dienstag mardi", "wednesday mittwoch mercredi",
            "thursday donnerstag jeudi", "friday freitag vendredi", "saturday samstag samedi",
            "sunday sonntag dimanche",
        )
    )
    for name in names.split()
}  # fmt: skip
