//! Arithmetic as Python writes it, for the answers of questions whose numbers are drawn.
//!
//! `+ - * / // % **`, brackets, names, and the functions of [`FUNCTIONS`]. Each value is a `float`. An answer is needed
//! before a quiz can be shown, so nothing here starts an interpreter
//! (`docs/decisions/0014-answers-are-computed-while-a-quiz-is-read.md`).

use std::collections::BTreeMap;

/// The functions: name, and the fewest and most values that each takes.
pub(super) const FUNCTIONS: [(&str, usize, usize); 11] = [
    ("abs", 1, 1),
    ("ceil", 1, 1),
    ("exp", 1, 1),
    ("floor", 1, 1),
    ("log", 1, 1),
    ("log10", 1, 1),
    ("log2", 1, 1),
    ("max", 2, 16),
    ("min", 2, 16),
    ("round", 1, 2),
    ("sqrt", 1, 1),
];

/// Brackets and signs inside each other; more would only use up the stack.
const DEEPEST: usize = 32;

/// The value of an expression, with these names; why not, in words for its author.
pub(super) fn value(text: &str, names: &BTreeMap<String, f64>) -> Result<f64, String> {
    let mut parser = Parser {
        rest: text,
        names,
        depth: 0,
    };
    let value = parser.sum()?;
    match parser.peek() {
        None if value.is_finite() => Ok(value),
        None => Err("the result is not a number".to_owned()),
        Some(sign) => Err(unexpected(sign)),
    }
}

/// What is wrong with a sign that Python has not, or not there.
fn unexpected(sign: char) -> String {
    let instead = match sign {
        '^' => "write `**` for a power: `2 ** 20`",
        '²' | '³' => "write `** 2` or `** 3` for a power",
        '×' | '·' | '⋅' | '∙' => "write `*`",
        '÷' | ':' => "write `/`",
        '−' | '–' | '—' => "write the `-` of the keyboard",
        ',' => "write a point for decimals, and nothing between thousands",
        '=' => "write what is right of the `=` alone",
        '√' => "write `sqrt(…)`",
        '[' | ']' | '{' | '}' => "write round brackets",
        it if it.is_alphabetic() => "write `*` between a number and a name, and no unit",
        _ => return format!("`{sign}` is not expected here"),
    };
    format!("`{sign}` is not expected here: {instead}")
}

struct Parser<'t, 'n> {
    rest: &'t str,
    names: &'n BTreeMap<String, f64>,
    depth: usize,
}

impl<'t> Parser<'t, '_> {
    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// Takes a sign if it is next.
    fn takes(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        loop {
            if self.takes("+") {
                value += self.product()?;
            } else if self.takes("-") {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.signed()?;
        loop {
            // `**` was taken with the factor before it.
            if self.takes("//") {
                value = (value / self.divisor()?).floor();
            } else if self.takes("*") {
                value *= self.signed()?;
            } else if self.takes("/") {
                value /= self.divisor()?;
            } else if self.takes("%") {
                let by = self.divisor()?;
                // As in Python, with the sign of the divisor.
                value -= by * (value / by).floor();
            } else {
                return Ok(value);
            }
        }
    }

    fn divisor(&mut self) -> Result<f64, String> {
        match self.signed()? {
            0.0 => Err("it divides by zero".to_owned()),
            by => Ok(by),
        }
    }

    fn signed(&mut self) -> Result<f64, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("it has too many brackets inside each other".to_owned());
        }
        let value = if self.takes("-") {
            -self.signed()?
        } else if self.takes("+") {
            self.signed()?
        } else {
            let base = self.atom()?;
            if self.takes("**") {
                // From the right, and stronger than a sign in front: -2 ** 2 is -4.
                base.powf(self.signed()?)
            } else {
                base
            }
        };
        self.depth -= 1;
        Ok(value)
    }

    fn atom(&mut self) -> Result<f64, String> {
        match self.peek() {
            None => Err("it ends where a number is expected".to_owned()),
            Some('(') => {
                self.takes("(");
                let value = self.sum()?;
                self.close()?;
                Ok(value)
            }
            Some(it) if it.is_ascii_digit() || it == '.' => self.number(),
            Some(it) if it.is_ascii_alphabetic() || it == '_' => self.named(),
            Some(it) => Err(unexpected(it)),
        }
    }

    fn number(&mut self) -> Result<f64, String> {
        let bytes = self.rest.as_bytes();
        let is_part = |at: usize| {
            let of = |at: usize| bytes.get(at).copied().unwrap_or_default();
            let is_sign = matches!(of(at), b'+' | b'-');
            // The sign of an exponent, as in 1e-6.
            let after_e = at > 0 && matches!(of(at - 1), b'e' | b'E');
            of(at).is_ascii_alphanumeric() || matches!(of(at), b'.' | b'_') || is_sign && after_e
        };
        let end = (0..bytes.len()).find(|at| !is_part(*at));
        let end = end.unwrap_or(bytes.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        let number = word.replace('_', "").parse::<f64>();
        number
            .ok()
            .ok_or_else(|| format!("`{word}` is not a number"))
    }

    fn named(&mut self) -> Result<f64, String> {
        let name = self.word();
        if !self.takes("(") {
            return self.names.get(name).copied().ok_or_else(|| {
                let known: Vec<&str> = self.names.keys().map(String::as_str).collect();
                format!("there is no `{name}`; there are {}", known.join(", "))
            });
        }
        let mut given = vec![self.sum()?];
        while self.takes(",") {
            given.push(self.sum()?);
        }
        self.close()?;
        call(name, &given)
    }

    fn word(&mut self) -> &'t str {
        let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let end = self.rest.find(|it| !is_part(it));
        let end = end.unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        word
    }

    fn close(&mut self) -> Result<(), String> {
        if self.takes(")") {
            Ok(())
        } else {
            Err("a bracket is not closed".to_owned())
        }
    }
}

fn call(name: &str, given: &[f64]) -> Result<f64, String> {
    let known = FUNCTIONS.iter().find(|it| it.0 == name);
    let Some((_, least, most)) = known else {
        let all: Vec<&str> = FUNCTIONS.iter().map(|it| it.0).collect();
        return Err(format!(
            "there is no function `{name}`; there are {}",
            all.join(", ")
        ));
    };
    if !(*least..=*most).contains(&given.len()) {
        return Err(format!("`{name}` takes another number of values"));
    }
    let first = given.first().copied().unwrap_or_default();
    let second = given.get(1).copied();
    Ok(match name {
        "abs" => first.abs(),
        "ceil" => first.ceil(),
        "exp" => first.exp(),
        "floor" => first.floor(),
        "log" => first.ln(),
        "log10" => first.log10(),
        "log2" => first.log2(),
        "max" => given.iter().copied().fold(first, f64::max),
        "min" => given.iter().copied().fold(first, f64::min),
        "sqrt" => first.sqrt(),
        // Half to even, as Python rounds.
        _ => {
            let digits = 10f64.powf(second.unwrap_or(0.0));
            (first * digits).round_ties_even() / digits
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        let names = [("million", 25.0), ("zero", 0.0)];
        let names = names.map(|(name, value)| (name.to_owned(), value)).into();
        match value(text, &names) {
            Ok(value) => format!("{value}"),
            Err(why) => why,
        }
    }

    #[test]
    fn arithmetic_is_that_of_python() {
        // Each was printed by Python 3.11 as a float.
        for (text, expected) in [
            ("million * 16", "400"),
            ("1 + 2 * 3", "7"),
            ("(1 + 2) * 3", "9"),
            ("2 ** 3 ** 2", "512"),
            ("-2 ** 2", "-4"),
            ("2 ** -1", "0.5"),
            ("7 // 2", "3"),
            ("-7 // 2", "-4"),
            ("-7 % 3", "2"),
            ("7 % -3", "-2"),
            ("1_000 * 1e-3", "1"),
            ("10 - 2 - 3", "5"),
            ("100 / 10 / 5", "2"),
            ("1e9 / 2**30", "0.9313225746154785"),
            ("min(3, million, 4) + max(1, 2)", "5"),
            ("round(2.5) + round(3.14159, 2)", "5.140000000000001"),
            (
                "sqrt(16) + log2(8) + abs(-1) + ceil(0.2) + floor(1.9)",
                "10",
            ),
            ("--3", "3"),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_computed_says_why() {
        let all = [
            "milion * 16",
            "million *",
            "million 16",
            "(million",
            "million / zero",
            "million % (zero)",
            "sin(1)",
            "min(1)",
            "1x",
            "__import__('os')",
            "",
            "log(0)",
            "9 ** 999",
        ];
        insta::assert_snapshot!(all.map(of).join("\n"), @"
        there is no `milion`; there are million, zero
        it ends where a number is expected
        `1` is not expected here
        a bracket is not closed
        it divides by zero
        it divides by zero
        there is no function `sin`; there are abs, ceil, exp, floor, log, log10, log2, max, min, round, sqrt
        `min` takes another number of values
        `1x` is not a number
        `'` is not expected here
        it ends where a number is expected
        the result is not a number
        the result is not a number
        ");
        let deep = "(".repeat(100_000);
        assert_eq!(of(&deep), "it has too many brackets inside each other");
        let signs = "-".repeat(100_000);
        assert_eq!(of(&signs), "it has too many brackets inside each other");
    }
}
