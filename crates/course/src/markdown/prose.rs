//! What authors write from habit and warpup shows as it is: HTML and formulas in running text.

use std::ops::Range;

/// A formula in running text: its bytes. `skipped` are the bytes of code, in order, where a dollar is a dollar. One pass: a
/// text may have a million dollars.
pub(super) fn formula(text: &str, skipped: &[Range<usize>]) -> Option<Range<usize>> {
    let behind = |at: usize| text.get(at + 1..).and_then(|it| it.chars().next());
    let before = |at: usize| text.get(..at).and_then(|it| it.chars().next_back());
    let dollars = outside(text, "$", skipped);
    for (number, open) in dollars.iter().copied().enumerate() {
        if before(open).is_some_and(|it| it == '\\' || it.is_alphanumeric()) {
            continue;
        }
        if behind(open) == Some('$') {
            let rest = text.get(open + 2..).unwrap_or_default();
            let end = rest.find("$$").map_or(open + 2, |it| open + it + 4);
            return Some(open..end);
        }
        if behind(open).is_none_or(char::is_whitespace) {
            continue;
        }
        let close = *dollars.get(number + 1)?;
        let inside = text.get(open + 1..close).unwrap_or_default();
        let is_closed = !inside.ends_with([' ', '\t', '\n', '\\'])
            && behind(close).is_none_or(|it| !it.is_alphanumeric());
        // `between $5 and 6$`
        let is_money = inside.starts_with(|it: char| it.is_ascii_digit())
            && inside.contains(' ')
            && !inside.contains(['\\', '^', '_', '=']);
        if is_closed && !is_money && inside.contains(|it: char| it.is_alphabetic() || it == '\\') {
            return Some(open..close + 1);
        }
    }
    None
}

/// A formula between `\(` and `\)` or `\[` and `\]`: its bytes. Brackets with a backslash that are no more than that have no signs
/// of a formula between them.
pub(super) fn latex(text: &str, skipped: &[Range<usize>]) -> Option<Range<usize>> {
    let brackets = [("\\(", "\\)"), ("\\[", "\\]")];
    brackets.into_iter().find_map(|(open, close)| {
        let at = *outside(text, open, skipped).first()?;
        let (inside, _) = text.get(at + open.len()..)?.split_once(close)?;
        let is_letter = inside.len() == 1 && inside.contains(char::is_alphabetic);
        let mut commands = inside.split('\\').skip(1);
        let is_formula = commands.any(|it| it.starts_with(char::is_alphabetic))
            || inside.contains(['^', '_', '='])
            || is_letter;
        is_formula.then(|| at..at + open.len() + inside.len() + close.len())
    })
}

/// Where a sign is that is not code.
fn outside(text: &str, sign: &str, mut skipped: &[Range<usize>]) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(sign) {
        while let [first, rest @ ..] = skipped
            && first.end <= at
        {
            skipped = rest;
        }
        if skipped.first().is_none_or(|it| at < it.start) {
            found.push(at);
        }
    }
    found
}

/// What to write in place of a tag of HTML; nothing for a closing tag, which the opening one speaks for.
pub(super) fn instead_of(html: &str) -> Option<&'static str> {
    if html.starts_with("<!--") && html.to_lowercase().contains("pause") || html == "<pause>" {
        return Some("a pause is `<!-- pause -->`, on a line of its own");
    }
    if html.starts_with("<!--")
        && ["screen", "plain"]
            .iter()
            .any(|it| html.to_lowercase().contains(it))
    {
        return Some(
            "text for one front end is between `<!-- screen -->` and `<!-- /screen -->`, or between the same with `plain`",
        );
    }
    if html.starts_with("<!--") {
        return Some("learners see this comment: remove it, or put it into a note for instructors");
    }
    let name = html.strip_prefix('<')?;
    let end = name.find(|it: char| !it.is_ascii_alphanumeric() && it != '-');
    let name = name.get(..end.unwrap_or(name.len()))?.to_ascii_lowercase();
    Some(match name.as_str() {
        "" => return None,
        "br" | "p" | "div" | "center" => "begin a new paragraph with an empty line",
        "hr" => "write `---` on a line of its own",
        "img" | "svg" | "video" | "iframe" => {
            "images are not shown: draw it in a block ```text figure alt=\"…\""
        }
        "b" | "strong" => "write `**strong**`",
        "i" | "em" => "write `*emphasis*`",
        "s" | "del" => "write `~~struck~~`",
        "u" | "mark" | "font" | "span" | "small" | "big" => "leave it out, or write `**strong**`",
        "code" | "kbd" | "tt" | "samp" => "write it between back-ticks",
        "pre" => "write a block between lines of three back-ticks",
        "a" => "write `[text](https://…)`",
        "ul" | "ol" | "li" => "begin each item with `- ` or `1. `",
        "table" | "tr" | "td" | "th" => "write the table with `|` between its cells",
        "sub" | "sup" => "write the letter itself, such as `²` or `₀`",
        "h1" | "h2" | "h3" | "h4" => "write `##` in front of the heading",
        "blockquote" => "write `> ` in front of each line",
        "details" | "detail" | "summary" | "hint" | "tip" => {
            "write `<details><summary>Hint</summary>` on a line of its own, and `</details>` where it ends, with empty lines around both"
        }
        _ => "put it between back-ticks, so that it is read as code",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&str> {
        formula(text, &[]).and_then(|it| text.get(it))
    }

    #[test]
    fn formulas_are_found() {
        assert_eq!(found("The limit is $\\max(a, b)$."), Some("$\\max(a, b)$"));
        assert_eq!(found("$n$ numbers"), Some("$n$"));
        assert_eq!(found("so\n$$\nx = 2\n$$\n"), Some("$$\nx = 2\n$$"));
        assert_eq!(found("costs $5, but $x^2$"), Some("$x^2$"));
    }

    #[test]
    fn formulas_in_brackets_of_latex_are_found() {
        let found = |text: &'static str| latex(text, &[]).and_then(|it| text.get(it));
        assert_eq!(
            found("is \\(\\frac{1}{n}\\), for"),
            Some("\\(\\frac{1}{n}\\)")
        );
        assert_eq!(found("of \\(n\\) numbers"), Some("\\(n\\)"));
        assert_eq!(found("so\n\\[\nx = 2\n\\]\n"), Some("\\[\nx = 2\n\\]"));
        for text in ["\\[no link\\](a)", "\\(an aside\\)", "\\(x", "\\[1\\]"] {
            assert_eq!(found(text), None, "{text}");
        }
        let code = [0..7, 8..9];
        assert_eq!(latex("`\\(x\\)` `x`", &code), None);
    }

    #[test]
    fn money_and_variables_of_a_shell_are_none() {
        for text in [
            "It costs $5 and $10.",
            "$HOME and $PATH",
            "between $5 and 6$",
            "a$b$c",
            "$HOME/$USER",
            "one $ sign",
            "\\$x$ is escaped",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
        let code = [0..3, 4..9];
        assert_eq!(formula("`$` `$x$`", &code), None);
    }
}
