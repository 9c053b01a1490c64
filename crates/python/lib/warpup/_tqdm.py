"""The part of `tqdm` that training loops use: the iterator, without a bar. The terminal of a lab is the app's own."""


class tqdm:
    """Gives the items on; draws nothing."""

    _instances = set()

    def __init__(self, iterable=None, desc=None, total=None, *args, initial=0, **options):
        self.iterable = iterable
        self.desc = desc or ""
        self.total = len(iterable) if total is None and hasattr(iterable, "__len__") else total
        self.n = self.initial = initial
        self.disable = True
        self.leave = self.unit_scale = False
        self.pos = 0
        self.postfix = None

    def __iter__(self):
        for item in self.iterable:
            yield item
            self.n += 1

    def __len__(self):
        return len(self.iterable) if self.total is None else self.total

    def __bool__(self):
        return self.total is None or self.total > 0

    def __contains__(self, item):
        return item in self.iterable

    def __reversed__(self):
        return reversed(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __repr__(self):
        return f"{self.desc}{': ' if self.desc else ''}{self.n}{'it' if self.total is None else f'/{self.total}'}"

    def update(self, n=1):
        self.n += n

    def reset(self, total=None):
        self.n = 0
        self.total = self.total if total is None else total

    def set_description(self, desc=None, refresh=True):
        self.desc = desc or ""

    set_description_str = set_description

    def set_postfix(self, *values, **named):
        """Does nothing: there is no bar to write it behind."""

    set_postfix_str = refresh = close = clear = display = unpause = moveto = set_postfix

    @property
    def format_dict(self):
        return {"n": self.n, "total": self.total, "elapsed": 0.0, "rate": None, "prefix": self.desc, "unit": "it"}

    @staticmethod
    def write(s, file=None, end="\n", nolock=False):
        print(s, file=file, end=end)

    @classmethod
    def pandas(cls, *args, **options):
        """Does nothing: there is no pandas."""

    get_lock = set_lock = pandas


tqdm_notebook = tqdm_gui = tqdm


def trange(*args, **options):
    return tqdm(range(*args), **options)


tnrange = tgrange = trange


def tenumerate(iterable, start=0, total=None, tqdm_class=tqdm, **options):
    return enumerate(tqdm(iterable, total=total, **options), start)


def tzip(iterable, *others, **options):
    return zip(tqdm(iterable, **options), *others)


def tmap(function, *iterables, **options):
    return (function(*items) for items in tzip(*iterables, **options))
