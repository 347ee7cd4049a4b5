"""Texts of many forms, of which ``test_told`` keeps what is told."""

from typing import Final

PAIRS: Final = [
    ("The plan has 10 seats.", "The plan has 12 seats."),
    ("The plan has 10 seats.", "The plan has 10 guests."),
    ("The plan has 10 seats.", "The plan has 12 guests."),
    ("The plan has 10 seats.", "The plan has 10 seats and 12 guests."),
    ("The plan has 10 seats.", "The plan has 10 guests and 12 seats."),
    ("The plan has 10.", "The plan has 12 seats."),
    ("At least 10 seats are free.", "At most 10 seats are free."),
    ("At least 10 seats are free.", "10 seats are free."),
    ("10 seats are free.", "At least 10 seats are free."),
    ("At least 10 seats are free.", "10 seats are free, at least 12 seats are kept."),
    ("About 10 seats are free.", "10 seats are free."),
    ("Over 10 seats are free.", "Up to 20 seats are free, 10 are kept."),
    ("The fee is €20 per month.", "The fee is €20."),
    ("The fee is €20.", "The fee is €20 per month."),
    ("The fee is €20 per month.", "The fee is €25 per month."),
    ("The fee is €20 per month.", "The fee is €20 per seat."),
    ("The fee was €20.", "Until 2025 the fee was €20, now it is €30."),
    ("The fee is €20.", "The fee was formerly €20."),
    ("The fee is €20.", "The fee is $20."),
    ("The rate is 5%.", "The rate is 500 basis points."),
    ("The rate is 5%.", "The rate is 0.05."),
    ("The rate is not 5%.", "The rate is 5%."),
    ("The limit is 10, the burst is 5.", "The limit is 5, the burst is 10."),
    ("The limit is 10, the burst is 5.", "The limit is 10, the burst is 7."),
    ("It ends on 3 March 2026.", "It ends on 4 March 2026."),
    ("It ends on 3 March 2026.", "It ends in March 2026."),
    ("It ends on 12/03/2026.", "It ends on 2026-03-12."),
    ("The notice is 30 days.", "The notice is one month."),
    ("The notice is 31 days.", "The notice is one month."),
    ("The notice is 28 days.", "The notice is one month."),
    ("The notice is 27 days.", "The notice is one month."),
    ("The notice is 32 days.", "The notice is one month."),
    ("The notice is 24 hours.", "The notice is one day."),
    ("The notice is 3 to 5 days.", "The notice is 4 days."),
    ("The notice is 3 to 5 days.", "The notice is 3 to 6 days."),
    ("See Section 4.2.", "See Section 4.3."),
    ("See Section 4.2.", "See Article 4.2."),
    ("Refunds are given.", "Refunds are not given."),
    ("Refunds are never given.", "Refunds are given."),
    ("Refunds aren't given and fees aren't kept.", "Refunds are given and fees aren't kept."),
    ("Refunds are given and fees are kept.", "Refunds are given and fees are not kept."),
    ("The seat is free and the seat is not here.", "The seat is not free and the seat is here."),
    ("Access is granted unless revoked.", "Access is granted if revoked."),
    ("Access is granted if paid.", "Access is granted only if paid."),
    ("Access is allowed.", "Access is forbidden."),
    ("Access is allowed.", "Access is not forbidden."),
    ("It is lawful.", "It is unlawful."),
    ("It is compliant.", "It is non-compliant."),
    ("The door is open.", "The door is closed."),
    ("You must pay.", "You may pay."),
    ("You should pay.", "You must pay."),
    ("You must pay and may leave.", "You may pay and must leave."),
    ("You can't leave.", "You can leave."),
    ("All plans include support.", "Some plans include support."),
    ("All plans include support.", "Plans include support."),
    ("Plans include support.", "Only paid plans include support."),
    ("Every plan includes support.", "Each plan includes support."),
    ("Acme pays Globex.", "Globex pays Acme."),
    ("The supplier pays the customer.", "The customer is paid by the supplier."),
    ("The supplier pays the customer.", "The customer pays the supplier."),
    ("Acme runs the service.", "Globex runs the service."),
    ("Acme, Globex and Initech run it.", "Acme, Hooli and Initech run it."),
    ("The minimum is 10.", "The maximum is 10."),
    ("The cap is €2m.", "The cap of €2m no longer applies."),
    ("The cap is €2m.", "This replaces the cap: it is €5m."),
    ("The cap is €2m. It holds for a year.", "It holds for a year. The cap is €2m."),
    ("The cap is €2m. It holds for a year.", "The cap is €2m. It holds for two years."),
    ("The cap is €2m and the fee is €5.", "The cap is €2m. The fee is €5."),
    ("The cap is €2m and the fee is €5.", "The cap is €2m. The fee is €6."),
    ("Die Grenze liegt bei 2 Mio. EUR.", "The cap is €2m."),
    ("Die Grenze liegt bei 2 Mio. EUR.", "The cap is €3m."),
    ("Die Miete ist nicht fällig.", "Die Miete ist fällig."),
    ("lts: true", "lts: false"),
    ("eol: 2026-04-01", "eol: 2026-10-01"),
    ("eol: 2026-04-01", "eol: true"),
    ("latest: 8.1", "latest: 8.1, 8.2"),
    ("latest: 8.1", "latest: 8.1 LTS"),
    ("name: Acme", "name: Globex"),
    ("name: Acme\nseats: 10", "name: Acme\nseats: 12"),
    ("| Basic | 10 | yes |", "| Basic | 10 | no |"),
    ("The service is available on all days.", "The service is available."),
    ("It runs on Drupal 9.2.", "It runs on Drupal 9.3."),
    ("Contact the owner in writing.", "Contract the owner in writing."),
    ("We recieve the goods.", "We receive the goods."),
    ("The goods are received by us.", "We receive the goods."),
    ("Payment is due before delivery.", "Payment is due after delivery."),
    ("Nothing of it is here.", "Other words stand there."),
    ("US citizens pay.", "Citizens of the US pay."),
    ("WE PAY NOTHING.", "We pay nothing."),
    ("Refunds are given.", "Refunds are not given, and refunds are never given."),
    ("Fees are not due and fees are not kept.", "Fees are due."),
    ("It is free if paid in time.", "It is free unless paid, if in time, provided you ask."),
    ("The buyer notifies the seller.", "The seller notifies the buyer."),
    ("Buyer may notify seller.", "Seller may notify buyer."),
    ("The owner can process the data.", "The data can process the owner."),
    ("The plan has seats.", "The plan has 10 seats."),
]

TRIPLES: Final = [
    ("Acme", "name: Acme", "name: Globex"),
    ("It is Acme.", "name: Acme", "name: Globex"),
    ("It is made by Acme Corp.", "name: Acme", "name: Globex"),
    ("true", "lts: true", "lts: false"),
    ("Drei Tage", "frist: drei Tage", "frist: vier Tage"),
    ("The cap is five.", "cap: 5", "cap: 6"),
    ("The fee is €20.", "The fee is €20 a month.", "The fee is €20 a year."),
    ("Ten seats are free in 2025.", "10 seats are free.", "12 seats are free."),
    ("Ten seats are free in 2025.", "10 seats are free.", "12 guests are free."),
    ("Ten seats are free.", "Seats are free.", "Seats are free."),
    ("Ten seats are free.", "Five seats are free.", "Five seats are free."),
    ("It is free if paid.", "It is free if paid, unless late.", "It is free unless late."),
    ("It is free.", "It is free unless late.", "It is free unless late, if paid."),
    ("It is free if paid.", "It is free unless late.", "It is free if paid."),
    (
        "The fee is due in May.",
        "Fees are due in May. Taxes are due in June.",
        "Fees are due in May.",
    ),
    ("All users pay.", "All users pay.", "Users pay."),
    ("All users pay.", "Users pay.", "Users pay."),
    ("All users pay.", "Users pay.", "Only paid users pay."),
    ("Users pay.", "All users pay.", "Some users pay."),
    ("The limit is 10.", "The limit is 10, the burst is 5.", "The limit is 5, the burst is 10."),
    ("The burst is 5.", "The limit is 10, the burst is 5.", "The limit is 10 and 5 is kept."),
    ("The cap is €2m.", "Die Grenze ist 2 Mio. EUR.", "Die Grenze ist 3 Mio. EUR."),
    ("The cap is €2m.", "Die Grenze ist 2 Mio. EUR. Sie gilt.", "Die Grenze ist 2 Mio. EUR. Nie."),
    ("The fee is kept.", "The fee is kept.", "The fee is kept. The fee is not kept any longer."),
    (
        "The fee is kept and it is due.",
        "The fee is kept and it is due.",
        "The fee is kept. It is not.",
    ),
]

TEXTS: Final = [
    *(
        ("en", text)
        for text in (
            "€2m, € 2 million, EUR 2,000,000 and 2.0m euros",
            "US$ 1,250.50, $1.2k, £3bn, ¥500 and 20 dollars",
            "-5 °C, 3 - 5 °C, (-5), a-5 and +7 °F",
            "1,234, 1.234, 0.123, 0,123, 1 234, 1'234.50 and 12,34",
            "5%, 5 %, 5 percent, 0.5 per cent, 25 bps and 25 basis points",
            "at least 5 days, up to 10 seats, more than 3 users, under 2 GB, about 40 m",
            "no more than 5, not less than 6, fewer than 7, exactly 8, 9 or more, 10 or less",
            "between 2 and 3 percent, 2-3 %, 2 to 3 %, from 5 to 10 days",
            "3 March 2026, March 3rd, 2026, 2026-03-03, 03/04/2026, 13/04/2026, 04/13/2026",
            "31/32/2026, 32/01/2026, March 2026, in 2014, Q3 2025, the third quarter of 2025",
            "on Monday, at 9 pm, at 12 am, at 12:30, at 23:15, noon on 5 May",
            "24 hours, two weeks, 3 fortnights, 5 business days, 6 working days, ninety (90) days",
            "€20/month, €20 per year, 5 requests per second, 10 seats each",
            "10 seats, ten seats, 10 paid seats, the 10, 1st, 2nd place, half, a third, twice",
            "Section 4.2, Sections 2.4 and 4, Article 12(3), Clause 7, § 5, page 9, version 3.1",
            "Drupal 9.2, Python 3.11.7, 8u232, 12ab, 3x, 1-800-FLOWERS, CA 94107",
            "2.5 million, 2,5 million, 3.25bn, 1.5 k, 12 thousand",
            "2 MB, 1,5 GB, 3 KiB, 10 km, 5kg, 100 W, 3.2 GHz",
            "one, two people, three of them, no one, twenty-one, a hundred",
            "2040 units, 2140 units, year 2040, room 2024",
            "10 (ten) seats, 30 (30) days, # 5 items",
            "1) first\n2. second\n(3) third\niv. fourth\na) fifth\n- 6 sixth",
            "[5 seats](http://x/7) **8** `9` <b>10</b> {{ 11 }} _12_",
            "“5” ‘6’ 7–8, 9—10, 11−12",
        )
    ),
    ("de", "2 Mio. EUR, 1.234,50 €, 2,5 %, drei Tage, zwei Wochen, 3. März 2026, nicht 5"),
    ("de", "Mindestens 5 Tage, höchstens 10 Plätze, etwa 20, bis zu 30, mehr als 4, kein Geld"),
    ("fr", "2 millions d'euros, 1 234,50 €, deux jours, 3 mars 2026, au moins 5, pas 6"),
    ("es", "dos días, 1.234,50 €, 5 por ciento, no 6"),
    ("", "€4.275, 1,234 and 1.234"),
    ("en", "Do not share it, and don't lose it; it can't be sold unless we agree."),
    ("en", "Neither Acme nor Globex pays. No critical issues, but two minor ones, were found."),
    ("en", "It is not only fast but cheap. Without a receipt nothing is refunded."),
    ("en", "Acme, Globex and Initech: EU, US, UK. Contact John Smith (CEO) at IBM."),
    ("en", "Formerly it was 5; until 2025 it was 6, since then it is 7, previously 8."),
    ("en", "If you pay, you may leave; however, you should wait, which you must not do alone."),
    ("en", "The fee is paid by the buyer and sent by post by Friday."),
    ("en", "You mustn't pay, and she shouldn't go; they can't and won't leave."),
    ("en", "It holds, John, for all, it says, but not, if late, for us."),
    ("en", "10 seats aren't free, and 5 are."),
    ("en", "10 km/h, 5 m, 6, 7 MB/s 8.5.6 1,2,3 0.5 1.000.000 1,000,000.5 12,3456"),
    ("de", "Die Mitarbeiter erhalten Erstattungen und Kündigungen binnen dreier Monate."),
    ("fr", "Les employés reçoivent des remboursements dans les trois mois."),
    ("it", "Tre mesi e due giorni, 1.234,50 €."),
    ("xx", "Twenty seats and three hundred guests."),
    ("", "12 3"),
    ("en", "All users, every user, some users, only paid users, most users, each user."),
]

_TERMS: Final = """\
# Terms

These terms hold for all. They are short, e.g. this one. Dr. Smith wrote them in v. 2.1 of May.

## Fees

The fee is €20 per month. It is due on the first day of each month:

- by card;
- by transfer, within 30 days.

A late payment costs 5 %. We may waive it.

| Plan | Seats | Fee |
|---|---|---|
| Basic | 5 | €10 |
| Pro | 20 | €40 |

### Refunds

1. Refunds are given within 14 days.
2. No refund is given later!

Is this all? Yes.
"""

_DATA: Final = """\
name: Acme
releases:
  - cycle: '1'
    eol: 2022-01-01
    lts: true
  - cycle: '2'
    eol: 2024-01-01
    lts: false
links:
  home: https://a.example
"""

_MARKED: Final = """\
    code = 1
    more = 2

```
fenced: yes
```

> quoted text. More of it.

---

End"""

_LONG: Final = " ".join(
    f"Sentence {nth} of this {'rather long ' * (nth % 9)}text says that item {nth} is due."
    for nth in range(24)
)

DOCUMENTS: Final = {
    "long": [_LONG, _LONG.replace("item 7 is due", "item 8 was due") + f"\n\n# End\n\n{_LONG}"],
    "short": [
        "seats: 10\nname: Acme",
        "seats: 12\nname: Acme",
        "**Regions:**\n- EU\n- US\n\none | two\n| three\na | b | c\n\nSee Fig. 3 and No. 4. End.",
        "**Regions:**\n- EU\n- UK\n\none | 2\n| three\na | b | d\n\nSee Fig. 4 and No. 4. End.",
        "# Regions\n\n**All regions**\n- EU\n- UK\n\nTo be continued in approx. 5 days. End it.",
    ],
    "terms": [
        _TERMS,
        _TERMS.replace("€20 per month", "€25 per month").replace("## Fees", "## Charges"),
        _TERMS.replace("We may waive it. ", "").replace("| Pro | 20 | €40 |", "| Pro | 25 | €45 |"),
        _TERMS.replace("1. Refunds are given within 14 days.\n", "").replace(
            "Is this all?", "The fee is €20 per month. Is this all?"
        ),
        _TERMS.replace("- by card;\n", "- by card;\n- by cheque;\n").replace(
            " They are short,", ""
        ),
        _TERMS.replace("A late payment costs 5 %.", "A late payment costs 5 % of it, or €5."),
        "# Terms\n\n" + _TERMS.split("\n\n")[3] + "\n\nThe fee is due. The fee is due.\n",
    ],
    "data": [
        _DATA,
        """\
name: Acme
releases:
  - cycle: '3'
    eol: 2026-01-01
    lts: true
  - cycle: '1'
    eol: 2022-06-01
    lts: true
  - cycle: '2'
    eol: 2024-01-01
    lts: true
links:
  home: https://b.example
""",
        """\
name: Acme
releases:
  - cycle: '3'
    eol: 2026-01-01
  - cycle: '2'
    eol: 2025-01-01
    lts: false
    note: The fee is due. It is late.
""",
        '{"name": "Acme",\n "seats": 10,\n "open": true}',
        '{"name": "Acme",\n "seats": 12,\n "open": true,\n "new": "yes"}',
    ],
    "prose": [
        "Alpha is due in May. Beta was due in June. Gamma may rise. Delta can fall. Yes it is.",
        "Alpha is due in July. Gamma may rise. Delta can fall. Yes it is. Beta was due in June.",
        "Alpha is due in July and Beta in June. Gamma may rise, or so they say. Yes it is.",
        "Yes it is. Yes it is. Omega is new here. Gamma must rise. Delta can fall.",
        "",
        "A long run without an end " * 30 + "\n\n\n" + "Line one\nline two\nline three.",
        _MARKED,
    ],
}
