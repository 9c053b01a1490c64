//! Characters that mean something in GIFT, and how they are written where they mean nothing.
//!
//! Before anything else is read, an escaped character becomes one of Unicode's private use, so that no later step can take it for
//! the sign; [`restored`] gives it back.

/// The signs that are escaped, and what each is meanwhile.
const ESCAPED: [(char, char); 8] = [
    ('\\', '\u{e000}'),
    ('~', '\u{e001}'),
    ('=', '\u{e002}'),
    ('#', '\u{e003}'),
    ('{', '\u{e004}'),
    ('}', '\u{e005}'),
    (':', '\u{e006}'),
    ('n', '\u{e007}'),
];

/// A text whose escaped signs cannot be taken for signs.
pub(super) fn protected(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if ESCAPED.iter().any(|(_, meanwhile)| *meanwhile == letter) {
            out.push('\u{fffd}');
            continue;
        }
        let escaped = letters.peek().and_then(|next| {
            let known = ESCAPED.iter().find(|(sign, _)| sign == next);
            known.filter(|_| letter == '\\')
        });
        match escaped {
            Some((_, meanwhile)) => {
                out.push(*meanwhile);
                letters.next();
            }
            None => out.push(letter),
        }
    }
    out
}

/// The text that an author meant.
pub(super) fn restored(text: &str) -> String {
    let restore = |it: char| match ESCAPED.iter().find(|(_, meanwhile)| *meanwhile == it) {
        Some(('n', _)) => '\n',
        Some((sign, _)) => *sign,
        None => it,
    };
    text.chars().map(restore).collect()
}

/// A text as GIFT has it: on one line, with no sign that means anything.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.trim().chars() {
        match letter {
            '\n' => out.push_str("\\n"),
            '\\' | '~' | '=' | '#' | '{' | '}' | ':' => out.extend(['\\', letter]),
            it if it.is_control() => out.push(' '),
            it => out.push(it),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_escaped_text_is_read_as_it_was(text in "[ -~\n\u{e000}-\u{e008}é]{0,40}") {
            let expected = text.trim().replace(|it: char| ('\u{e000}'..='\u{e007}').contains(&it), "\u{fffd}");
            prop_assert_eq!(restored(&protected(&escaped(&text))), expected);
        }
    }
}
