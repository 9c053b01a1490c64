"""The time of plain Python, in nanoseconds a step: the least of many short rounds, so that neighbours of the machine count little."""
from random import Random
from time import perf_counter

n = 500


def add(a, b):
    total = a + b
    return total


def calls():
    total = 0
    for i in range(n):
        total = add(total, i)


class Counter:
    def __init__(self):
        self.count = 0

    def step(self, by):
        self.count += by
        return self.count


def methods():
    counter = Counter()
    for i in range(n):
        counter.step(i)


words = [f"word{i % 500}" for i in range(n)]


def dictionary():
    counts = {}
    for word in words:
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1


numbers = [Random(0).random() * i for i in range(n)]


def sorting():
    ordered = sorted(numbers, key=lambda it: -it)
    smallest = ordered[0]
    for it in ordered:
        if it < smallest:
            smallest = it


def q_learning():
    """A walk on a line of 12 fields: right is the goal."""
    random = Random(0)
    values = {(field, move): 0.0 for field in range(12) for move in (-1, 1)}
    field = 0
    for _ in range(n):
        if random.random() < 0.1:
            move = random.choice((-1, 1))
        else:
            move = max((-1, 1), key=lambda it: values[field, it])
        after = min(max(field + move, 0), 11)
        reward = 1.0 if after == 11 else 0.0
        best = max(values[after, -1], values[after, 1])
        values[field, move] += 0.1 * (reward + 0.9 * best - values[field, move])
        field = 0 if after == 11 else after


def took(run):
    start = perf_counter()
    run()
    return (perf_counter() - start) / n * 1e9


for part in (calls, methods, dictionary, sorting, q_learning):
    print(part.__name__, min(took(part) for _ in range(200)))
