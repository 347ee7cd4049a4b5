"""What relationships carry: the properties of those that have any (DESIGN §3)."""

from neomodel import IntegerProperty, StringProperty, StructuredRel


class Wins(StructuredRel):
    """A tile of the source's valid time: who wins from ``valid_from`` to ``valid_to`` (µs)."""

    source_key = StringProperty(required=True)
    valid_from = IntegerProperty(required=True)
    valid_to = IntegerProperty(required=True)
    tx_from = IntegerProperty(required=True)


class Won(StructuredRel):
    """A tile that was replaced; known from ``tx_from`` to ``tx_to`` (µs)."""

    source_key = StringProperty(required=True)
    valid_from = IntegerProperty(required=True)
    valid_to = IntegerProperty(required=True)
    tx_from = IntegerProperty(required=True)
    tx_to = IntegerProperty(required=True)


class Cites(StructuredRel):
    """Where a claim's evidence stands in the version's text, in code points."""

    start = IntegerProperty(required=True)
    end = IntegerProperty(required=True)
    quote_sha256 = StringProperty()


class Holds(StructuredRel):
    """Where a chunk stands in the version's text, in code points."""

    start = IntegerProperty(required=True)
    end = IntegerProperty(required=True)


class Numbered(StructuredRel):
    """The place of a watched node in the answer's list of seqs."""

    idx = IntegerProperty(required=True)


class AtClaim(StructuredRel):
    """The claim whose citation was displaced."""

    idx = IntegerProperty(required=True)


class Found(StructuredRel):
    """Where a citation's text stands in the version that it was judged against."""

    cited_tx = IntegerProperty()
    cited_start = IntegerProperty()
    cited_end = IntegerProperty()
    start = IntegerProperty()
    end = IntegerProperty()
