//! Values as people write them who do not know TOML, and how to write them.

use super::Advice;

/// Keys whose value is `true` or `false`.
const FLAGS: [&str; 8] = [
    "correct", "always", "short", "shuffle", "counts", "partial", "case", "keys",
];
/// Keys whose value is a number.
const NUMBERS: [&str; 12] = [
    "minutes",
    "format",
    "answer",
    "value",
    "points",
    "ask",
    "weight",
    "above_percent",
    "rel",
    "abs",
    "from",
    "to",
];
/// Keys whose value is a text, also one that begins as a number does: `2026-sums`.
const TEXTS: [&str; 13] = [
    "id", "title", "summary", "quiz", "type", "prompt", "explain", "text", "feedback", "see",
    "metric", "lab", "language",
];
/// Quotation marks that only people know.
pub(super) const CURLY: [char; 7] = ['“', '”', '„', '‘', '’', '«', '»'];

/// Signs that look like the minus of a keyboard.
const MINUS: [char; 5] = ['−', '–', '—', '‐', '‑'];

/// What to write in place of something that TOML has no value for; `value` is as written, without what follows it.
pub(super) fn advice(key: &str, value: &str) -> Option<Advice> {
    let bare = value.trim_end_matches([';', ',']).trim_end();
    if value.starts_with('#') {
        return Some(Advice::edit(
            format!("`#` begins a comment, so put the value in quotes: `{key} = \"{value}\"`"),
            value,
            format!("\"{value}\""),
        ));
    }
    if bare.is_empty() {
        return Some(Advice::hint(format!(
            "write a value behind `{key} =`, on the same line"
        )));
    }
    if bare.len() < value.len() && (is_number(bare) || is_closed_text(bare)) {
        return Some(Advice::edit(
            format!("a value ends its line: write `{key} = {bare}`"),
            value,
            bare.to_owned(),
        ));
    }
    if let Some(advice) = minus(key, value) {
        return Some(advice);
    }
    let lower = bare.to_lowercase();
    let flag = match lower.as_str() {
        "true" | "false" => Some(lower.as_str()),
        "yes" | "on" | "y" | "ja" if FLAGS.contains(&key) => Some("true"),
        "no" | "off" | "n" | "nein" if FLAGS.contains(&key) => Some("false"),
        "none" | "null" | "nil" | "undefined" => {
            return Some(Advice::hint(format!(
                "leave `{key}` out: TOML has no `{bare}`"
            )));
        }
        _ => None,
    };
    if let Some(flag) = flag {
        return Some(Advice::edit(
            format!("write `{flag}` in lower-case letters: `{key} = {flag}`"),
            value,
            flag.to_owned(),
        ));
    }
    if bare.starts_with('(') {
        let inside = match bare.trim_matches(['(', ')']) {
            "" => "…",
            inside => inside,
        };
        return Some(Advice::hint(format!(
            "a list is between `[` and `]`: `{key} = [{inside}]`"
        )));
    }
    if TEXTS.contains(&key) {
        return text(key, value, bare);
    }
    number(key, bare).or_else(|| text(key, value, bare))
}

/// A value as TOML has it; `value` may be in TOML already.
pub(super) fn in_toml(key: &str, value: &str) -> String {
    let is_it = value.starts_with(['"', '\'', '[', '{'])
        || ["true", "false"].contains(&value)
        || is_number(value) && !TEXTS.contains(&key);
    if is_it {
        return value.to_owned();
    }
    match advice(key, value) {
        Some(Advice {
            edit: Some((_, new)),
            ..
        }) => new,
        Some(_) | None if value.contains('"') => format!("'{value}'"),
        Some(_) | None => format!("\"{value}\""),
    }
}

/// Numbers with the minus of a word processor in front of one of them.
fn minus(key: &str, value: &str) -> Option<Advice> {
    let sign = value.chars().find(|it| MINUS.contains(it))?;
    let straight = value.replace(MINUS, "-");
    let is_of_numbers = |it: char| it.is_ascii_digit() || "-+.,[] _".contains(it);
    let mut numbers = straight
        .split(['[', ']', ',', ' '])
        .filter(|it| !it.is_empty());
    let are_numbers = straight.chars().all(is_of_numbers) && numbers.all(is_number);
    (are_numbers && !TEXTS.contains(&key)).then(|| {
        Advice::edit(
            format!("`{sign}` is not the minus of a keyboard: write `{key} = {straight}`"),
            value,
            straight.clone(),
        )
    })
}

/// A number as people write it.
fn number(key: &str, value: &str) -> Option<Advice> {
    let digits = value.trim_start_matches(['~', '≈', '±', '<', '>', '=', '+', ' ']);
    let begins = digits.starts_with(|it: char| it.is_ascii_digit() || it == '.' || it == '-');
    if !begins || !digits.contains(|it: char| it.is_ascii_digit()) {
        return None;
    }
    let end = digits.find(|it: char| !(it.is_ascii_digit() || it == '.' || it == '-' || it == ','));
    let (head, rest) = digits.split_at(end.unwrap_or(digits.len()));
    let rest = rest.trim();
    let head = head.trim_end_matches(['.', ',']);
    if head.matches('.').count() > 1 && !head.contains(',') && rest.is_empty() {
        let whole = head.replace('.', "_");
        return Some(Advice::hint(format!(
            "write no points between thousands: `{key} = {whole}`"
        )));
    }
    if key == "tolerance" && ["%", "percent"].contains(&rest) {
        return Some(share(head));
    }
    if key == "tolerance" && rest.is_empty() {
        return Some(Advice::hint(format!(
            "write `tolerance = {{ abs = {head} }}` for an amount, or `{{ rel = … }}` for a share of the answer"
        )));
    }
    if head.contains(',') && rest.is_empty() {
        if head.contains('.') {
            let point = head.replace('.', "").replace(',', ".");
            return Some(Advice::hint(format!(
                "write the point for decimals only: `{key} = {point}`"
            )));
        }
        let (point, none) = (head.replace(',', "."), head.replace(',', "_"));
        return Some(Advice::hint(format!(
            "write a decimal point, `{point}`, or `{none}` for thousands"
        )));
    }
    if rest.starts_with(|it: char| it.is_ascii_digit()) {
        let joined: String = digits.split_whitespace().collect();
        return is_number(&joined).then(|| {
            Advice::edit(
                format!("write the number without spaces: `{key} = {joined}`"),
                value,
                joined.clone(),
            )
        });
    }
    if rest.starts_with("//") || rest.starts_with("--") {
        return Some(Advice::edit(
            format!("a comment begins with `#`: `{key} = {head}  # …`"),
            value,
            head.to_owned(),
        ));
    }
    if rest.starts_with(['*', '/', '^', '+', '×', '·'])
        || (rest.starts_with('-') && NUMBERS.contains(&key))
    {
        return Some(Advice::hint(format!(
            "write the number that it comes to, such as `{key} = 1024`"
        )));
    }
    if head.split('-').filter(|it| !it.is_empty()).count() == 3 {
        return Some(Advice::hint(format!(
            "write a day of the calendar and a time before 24:00, such as `{key} = 2026-12-01T18:00:00+01:00`"
        )));
    }
    if let Some((low, _)) = head.split_once('-').filter(|it| !it.0.is_empty()) {
        return Some(Advice::hint(format!(
            "write one number, such as `{key} = {low}`"
        )));
    }
    let head = if head.starts_with('.') {
        format!("0{head}")
    } else {
        head.to_owned()
    };
    Some(alone(key, value, &head, rest))
}

/// A number whose digits are `head`, with something behind it or a zero too many.
fn alone(key: &str, value: &str, head: &str, rest: &str) -> Advice {
    let unsigned = head.trim_start_matches('0');
    if rest.is_empty() && head.len() > unsigned.len() + 1 && !unsigned.starts_with('.') {
        return Advice::hint(format!(
            "write the number without the zero: `{key} = {unsigned}`"
        ));
    }
    if rest.is_empty() && head.starts_with("0.") && value.starts_with('.') {
        return Advice::edit(
            format!("write a digit in front of the point: `{key} = {head}`"),
            value,
            head.to_owned(),
        );
    }
    let advice = if rest.is_empty() || NUMBERS.contains(&key) {
        format!("write the number alone, `{key} = {head}`")
    } else {
        format!(
            "write the number alone, `{key} = {head}`, or put a text in quotes: `{key} = \"{value}\"`"
        )
    };
    match key {
        "minutes" => Advice::edit(advice, value, head.to_owned()),
        _ => Advice::hint(advice),
    }
}

/// A share in per cent as a tolerance.
pub(super) fn share(percent: &str) -> Advice {
    Advice::hint(format!(
        "write it as a share of the answer: `tolerance = {}`",
        as_share(percent)
    ))
}

/// The tolerance of so many per cent, in TOML.
pub(crate) fn as_share(percent: &str) -> String {
    match percent.replace(',', ".").parse::<f64>() {
        Ok(percent) => format!("{{ rel = {} }}", percent / 100.0),
        Err(_) => "{ rel = 0.02 }".to_owned(),
    }
}

/// A text without quotation marks, or with those of a word processor.
fn text(key: &str, value: &str, bare: &str) -> Option<Advice> {
    if value.starts_with(['"', '\'', '[', '{']) {
        return None;
    }
    let inside = bare.trim_matches(CURLY).trim_matches('`');
    let quoted = format!("\"{inside}\"");
    let is_plain = !inside.contains(['"', '\\', '#', '[', ']', '{', '}', '=', ',']);
    let why = if bare.starts_with(CURLY) {
        "texts are in straight quotes"
    } else {
        "texts are in quotes"
    };
    let hint = format!("{why}: `{key} = {quoted}`");
    Some(if is_plain && bare == value {
        Advice::edit(hint, value, quoted)
    } else {
        Advice::hint(hint)
    })
}

/// Whether TOML takes this as a number.
fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok() && text.starts_with(|it: char| it.is_ascii_digit() || it == '-')
}

/// Whether this is a text with its two quotation marks.
fn is_closed_text(text: &str) -> bool {
    let inside = text.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    inside.is_some_and(|it| !it.contains('"'))
}
