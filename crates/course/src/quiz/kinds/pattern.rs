//! Regular expressions where texts are wanted.

/// What only a pattern has.
const SIGNS: [&str; 14] = [
    ".*", ".+", "(?", "[a-z", "[A-Z", "[0-9", "\\d+", "\\d*", "\\s*", "\\s+", "\\w+", "\\w*",
    "\\b", "\\.",
];

/// What the signs of a pattern are around.
const OF_PATTERN: [char; 13] = [
    '^', '$', '.', '*', '+', '?', '\\', '(', ')', '[', ']', '|', '{',
];

/// Whether a text looks like a regular expression, and the first word in it.
pub(super) fn pattern(text: &str) -> Option<&str> {
    let text = text.trim();
    let inside = delimited(text);
    let is_pattern = inside.is_some()
        || text.len() > 1 && text.starts_with('^')
        || SIGNS.iter().any(|it| text.contains(it))
        || has_alternatives(text);
    let inside = inside.unwrap_or(text);
    let words = inside.split(OF_PATTERN).map(str::trim);
    is_pattern.then(|| words.max_by_key(|it| it.len()).unwrap_or_default())
}

/// What is between the slashes of `/…/i`. A path has other signs.
fn delimited(text: &str) -> Option<&str> {
    let (inside, flags) = text.strip_prefix('/')?.rsplit_once('/')?;
    let are_flags = flags.chars().all(|it| "gimsuy".contains(it));
    let is_sign = |it: char| it != '.' && OF_PATTERN.contains(&it);
    (are_flags && inside.contains(is_sign)).then_some(inside)
}

/// Whether there is `(one|two)` in a text.
fn has_alternatives(text: &str) -> bool {
    let inside = text.split_once('(').and_then(|it| it.1.split_once(')'));
    inside.is_some_and(|(it, _)| it.contains('|') && !it.contains(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_known_by_their_signs_and_answers_are_none() {
        for (text, word) in [
            ("/^abc.*/", "abc"),
            ("/abc?/i", "abc"),
            ("abc.*", "abc"),
            ("^stream$", "stream"),
            (r"\d+ms", "ms"),
            ("(copy|copies)", "copies"),
            ("cuda:[0-9]", "cuda:"),
        ] {
            assert_eq!(pattern(text), Some(word), "{text}");
        }
        for text in [
            "to",
            ".to",
            "x.to(device)",
            "/dev/shm/",
            "/tmp",
            "/etc/conf.d/",
            "*.py",
            "a*b",
            "$5",
            "5$",
            "C++",
            "what?",
            "^",
            "a|b",
            "x[0]",
            "(a or b)",
            r"\delta",
            "torch.cuda.synchronize()",
            "f(a | b)",
            "1..2",
        ] {
            assert_eq!(pattern(text), None, "{text}");
        }
    }
}
