"""How the time is divided: each section has a share, and what one leaves over is the next one's. Pure."""

# In seconds of a run of 150 s; in order of importance.
SHARES = {
    "card": 10, "training": 45, "verification": 25, "rates": 22, "terms": 8, "sharing": 14, "programs": 26,
}  # fmt: skip


def deadlines(names, seconds):
    """The end of each section, in seconds after the start; a section that comes last ends when all time is over.

    >>> deadlines(["card", "training"], 110)
    {'card': 20.0, 'training': 110.0}
    """
    total, ends, until = sum(SHARES[it] for it in names) or 1, {}, 0
    for name in names:
        until += SHARES[name]
        ends[name] = seconds * until / total
    return ends


def chosen(words):
    """The sections of `--only`, in their order, and those that do not exist.

    >>> chosen("rates,card,x")
    (['card', 'rates'], ['x'])
    """
    asked = words.split(",")
    return [it for it in SHARES if it in asked], [it for it in asked if it not in SHARES]
