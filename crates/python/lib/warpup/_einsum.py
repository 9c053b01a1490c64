"""torch.einsum, two operands at a time: sums, permutations, and one matrix product."""

import builtins
from math import prod


def _of_lists(arguments):
    """The equation and operands of `einsum(a, [0, 1], b, [1, 2], [0, 2])`."""
    result = [arguments.pop()] if len(arguments) % 2 else None
    terms = ["".join("..." if it is ... else chr(ord("a") + it) for it in term) for term in arguments[1::2]]
    equation = ",".join(terms)
    if result is not None:
        equation += "->" + "".join("..." if it is ... else chr(ord("a") + it) for it in result[0])
    return equation, arguments[::2]


def einsum(equation, *operands):
    if not isinstance(equation, str):
        equation, operands = _of_lists([equation, *operands])
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = tuple(operands[0])
    for at, letter in enumerate(equation):
        if letter not in " ,.->" and not (letter.isascii() and letter.isalpha()):
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {at} in the equation string, subscripts must be in [a-zA-Z]"
            )
    terms, _, result = equation.replace(" ", "").partition("->")
    terms = terms.split(",")
    if len(operands) < len(terms):
        raise RuntimeError("einsum(): fewer operands were provided than specified in the equation")
    if len(operands) > len(terms):
        raise RuntimeError("einsum(): more operands were provided than specified in the equation")
    terms, dots = _spelled(terms, operands)
    if "->" in equation:
        result = result.replace("...", dots)
    else:
        letters = sorted(set("".join(terms)) - set(dots))
        result = dots + "".join(it for it in letters if "".join(terms).count(it) == 1)
    for letter in result:
        if letter not in "".join(terms):
            raise RuntimeError(
                f"einsum(): output subscript {letter} does not appear in the equation for any input operand"
            )
    _check(terms, operands)
    operands = list(map(_without_twice, terms, operands))
    terms = ["".join(dict.fromkeys(term)) for term in terms]
    while len(terms) > 1:
        later = set(result).union(*terms[2:])
        first, second = terms.pop(0), terms.pop(0)
        made, term = _product(operands.pop(0), first, operands.pop(0), second, later)
        terms.insert(0, term)
        operands.insert(0, made)
    return _ordered(operands[0], terms[0], result)


def _spelled(terms, operands):
    """Replaces each `...` by capital letters from the end of the alphabet."""
    longest = 0
    for at, (term, operand) in enumerate(zip(terms, operands)):
        named = len(term.replace("...", ""))
        if "..." not in term and named != operand.dim():
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({named}) does not match the number of "
                f"dimensions ({operand.dim()}) for operand {at} and no ellipsis was given"
            )
        if "..." in term:
            longest = builtins.max(longest, operand.dim() - named)
    dots = "".join(chr(ord("Z") - at) for at in range(longest))
    spelled = []
    for term, operand in zip(terms, operands):
        count = operand.dim() - len(term.replace("...", ""))
        spelled.append(term.replace("...", dots[longest - count:] if "..." in term else ""))
    return spelled, dots


def _check(terms, operands):
    seen = {}
    for at, (term, operand) in enumerate(zip(terms, operands)):
        for letter, size in zip(term, operand.shape):
            before = seen.setdefault(letter, size)
            if size != before and 1 not in (size, before):
                raise RuntimeError(
                    f"einsum(): subscript {letter} has size {size} for operand {at} which does not broadcast "
                    f"with previously seen size {before}"
                )
            seen[letter] = builtins.max(size, before)


def _without_twice(term, operand):
    """The diagonal of dimensions that share a letter."""
    letters = list(term)
    for letter in dict.fromkeys(term):
        while letters.count(letter) > 1:
            first = letters.index(letter)
            second = letters.index(letter, first + 1)
            operand = operand.diagonal(0, first, second).movedim(-1, first)
            letters.pop(second)
    return operand


def _ordered(operand, term, result):
    gone = [at for at, letter in enumerate(term) if letter not in result]
    if gone:
        operand = operand.sum(gone)
        term = "".join(it for it in term if it in result)
    return operand.permute([term.index(it) for it in result])


def _product(a, first, b, second, later):
    """Contracts two operands: a matrix product sums over the letters that only they have."""
    a, first = _summed(a, first, set(second) | later)
    b, second = _summed(b, second, set(first) | later)
    size = dict(zip(first, a.shape))
    for letter, it in zip(second, b.shape):
        size[letter] = builtins.max(it, size.get(letter, 1))
    shared = [it for it in first if it in second]
    batch = [it for it in shared if it in later]
    summed = [it for it in shared if it not in later]
    rows = [it for it in first if it not in second]
    columns = [it for it in second if it not in first]
    a = _grouped(a, first, (batch, rows, summed), size)
    b = _grouped(b, second, (batch, summed, columns), size)
    made = (a @ b).reshape([size[it] for it in batch + rows + columns])
    return made, "".join(batch + rows + columns)


def _summed(operand, term, needed):
    kept = "".join(it for it in term if it in needed)
    return _ordered(operand, term, kept), kept


def _grouped(operand, term, groups, size):
    """The operand with three dimensions, one for each group of letters."""
    letters = [it for group in groups for it in group]
    operand = operand.permute([term.index(it) for it in letters]).expand([size[it] for it in letters])
    return operand.reshape([prod(size[it] for it in group) for group in groups])
