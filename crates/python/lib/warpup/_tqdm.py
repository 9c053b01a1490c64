"""The part of `tqdm` that training loops use: the iterator, without a bar. The terminal of a lab is the app's own."""


class tqdm:
    """Gives the items on; draws nothing."""

    def __init__(self, iterable=None, desc=None, total=None, *args, initial=0, **options):
        self.iterable = iterable
        self.desc = desc or ""
        self.total = len(iterable) if total is None and hasattr(iterable, "__len__") else total
        self.n = initial
        self.disable = True

    def __iter__(self):
        for item in self.iterable:
            yield item
            self.n += 1

    def __len__(self):
        return len(self.iterable) if self.total is None else self.total

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

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

    set_postfix_str = refresh = close = clear = display = unpause = set_postfix

    @staticmethod
    def write(s, file=None, end="\n", nolock=False):
        print(s, file=file, end=end)


def trange(*args, **options):
    return tqdm(range(*args), **options)

