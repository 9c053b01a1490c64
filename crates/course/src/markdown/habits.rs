//! Marks of other dialects of Markdown, or marks with a small mistake, that are shown as they are written.

use super::fence_words::{TICK_BEHIND_FENCE, TICKS_OUT, is_of_block};
use super::other_tools;
use crate::diagnostics::Rule;
use std::ops::Range;

/// The kinds of callouts.
const CALLOUTS: [&str; 5] = ["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"];

/// Marks that learners do not read: each with what is wrong and what to write.
const MARKS: [(&str, &str, &str); 9] = [
    (
        "](",
        "this link is shown as it is written",
        "write `[text](address)`: no spaces in the address, and both brackets closed",
    ),
    (
        "] (",
        "this link is shown as it is written",
        "write `[text](address)`, without a space between the two",
    ),
    (
        "[[",
        "this link is shown as it is written",
        "write `[text](lesson.md#page)`",
    ),
    (
        "[!",
        "this mark is shown as it is written",
        "known are `> [!NOTE]`, `> [!TIP]`, `> [!IMPORTANT]`, `> [!WARNING]` and `> [!CAUTION]`",
    ),
    (
        "[^",
        "this footnote is shown as it is written",
        "write the note, too: `[^1]: …` on a line of its own, with an empty line above it",
    ),
    (
        ":::",
        "this mark is shown as it is written",
        "write `> [!NOTE]`, and `> ` in front of each line of the note",
    ),
    (
        "!!! ",
        "this mark is shown as it is written",
        "write `> [!NOTE]` on a line of its own, and `> ` in front of each line of the note",
    ),
    (
        "<!-",
        "this comment is shown as it is written",
        "a pause is `<!-- pause -->`, on a line of its own, with two `-` on each side",
    ),
    (
        "<!—",
        "this comment is shown as it is written",
        "a pause is `<!-- pause -->`, on a line of its own, with two `-` on each side",
    ),
];

/// A mark that is not read as its author means it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Habit {
    /// The rule that it breaks.
    pub(super) rule: Rule,
    /// Its bytes in the source.
    pub(super) span: Range<usize>,
    /// What is wrong.
    pub(super) message: &'static str,
    /// What to write.
    pub(super) hint: String,
    /// What comes in place of these bytes, if it is clear; a new line in it begins as this one does.
    pub(super) new: Option<String>,
}

/// The first one in a paragraph: `source` is as written, `plain` what learners read of it that is no code and no link.
pub(super) fn habit(source: &str, plain: &str) -> Option<Habit> {
    heading(source)
        .or_else(|| fence(source))
        .or_else(|| table(source))
        .or_else(|| callout(source))
        .or_else(|| pause(source))
        .or_else(|| shown(source, plain))
        .or_else(|| marked(source, plain))
        .or_else(|| reference(source, plain))
        .or_else(|| other_tools::markup(source, plain))
}

/// A line that was meant to begin a page.
fn heading(source: &str) -> Option<Habit> {
    for (start, line) in lines(source) {
        let text = line.trim_start();
        let marks = text.len() - text.trim_start_matches('#').len();
        let title = text.get(marks..).unwrap_or_default();
        let id = title
            .find("{#")
            .filter(|at| title.get(*at..).is_some_and(|it| it.contains('}')));
        let is_glued = (2..=6).contains(&marks) && title.starts_with(char::is_alphabetic);
        if !is_glued && id.is_none() {
            continue;
        }
        let inside = title.split("## ").last().unwrap_or(title);
        let inside = inside.replace("**", "");
        let hint = if is_glued {
            format!("write `## {}`, with a space behind `##`", title.trim())
        } else {
            format!(
                "write `## {}` on a line of its own, not indented, with an empty line above it",
                inside.trim()
            )
        };
        return Some(Habit {
            rule: Rule::HeadingForm,
            span: start..start + line.trim_end().len(),
            message: "this begins no page: it is shown as text",
            hint,
            new: None,
        });
    }
    None
}

/// A line that was meant to begin a block of a program.
fn fence(source: &str) -> Option<Habit> {
    for (start, line) in lines(source) {
        let text = line.trim_start_matches(['`', '\'', '´', '‘', '’', '"', ' ']);
        let marks = line
            .get(..line.len() - text.len())
            .unwrap_or_default()
            .trim();
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_program =
            ["python", "rust", "text", "console", "toml"].contains(words.first().unwrap_or(&""));
        let marks_count = marks.chars().count();
        if is_program && marks == "```" && is_of_block(text) && text.contains('`') {
            return Some(Habit {
                rule: Rule::FenceForm,
                span: start..start + line.trim_end().len(),
                message: TICK_BEHIND_FENCE,
                hint: TICKS_OUT.to_owned(),
                new: None,
            });
        }
        if is_program && (2..=4).contains(&marks_count) && !text.contains('`') && marks != "```" {
            return Some(Habit {
                rule: Rule::FenceForm,
                span: start..start + line.trim_end().len(),
                message: "this begins no block: it is shown as text",
                hint: format!("write ```{}, with three back-ticks", text.trim_end()),
                new: None,
            });
        }
    }
    None
}

/// Lines with `|` at both ends that are no table.
fn table(source: &str) -> Option<Habit> {
    let is_row = |line: &str| line.len() > 2 && line.starts_with('|') && line.ends_with('|');
    let mut rows = lines(source).filter(|it| is_row(it.1.trim()));
    let (start, first) = rows.next()?;
    rows.next()?;
    if let Some((start, line)) = lines(source).find(|it| it.1.trim_start().starts_with("+-")) {
        return Some(Habit {
            rule: Rule::TableForm,
            span: start..start + line.trim_end().len(),
            message: "this is not a table: its lines of `+` and `-` are shown as text",
            hint: "leave the lines with `+` out, and write `| --- | --- |` under the first row"
                .to_owned(),
            new: None,
        });
    }
    let columns = first.trim().matches('|').count() - 1;
    Some(Habit {
        rule: Rule::TableForm,
        span: start..start + first.trim_end().len(),
        message: "this is not a table: a line under its head is missing, or has another number of columns",
        hint: format!("write `|{}` under this line", " --- |".repeat(columns)),
        new: None,
    })
}

/// The mark of a callout with its text on the same line.
fn callout(source: &str) -> Option<Habit> {
    let line = source.lines().next()?;
    let (kind, rest) = line
        .trim_start_matches("> ")
        .strip_prefix("[!")?
        .split_once(']')?;
    let kind = kind.to_uppercase();
    let text = rest.trim_start_matches(['-', '+', ':', ' ']);
    if !CALLOUTS.contains(&kind.as_str()) || text.is_empty() {
        return None;
    }
    Some(Habit {
        rule: Rule::MarkShown,
        span: 0..line.len() - text.len(),
        message: "this mark is shown as text: a callout has its text on the next line",
        hint: format!("write `> [!{kind}]` on a line of its own, and `> {text}` under it"),
        new: Some(format!("[!{kind}]\n")),
    })
}

/// Three dots alone, with spaces between them: the pause of Pandoc.
fn pause(source: &str) -> Option<Habit> {
    let line = source.trim();
    (line == ". . .").then(|| Habit {
        rule: Rule::MarkShown,
        span: 0..line.len(),
        message: "these dots are shown as they are written",
        hint: "a pause is `<!-- pause -->`, on a line of its own".to_owned(),
        new: None,
    })
}

/// Words between `==` and `==`, which other dialects highlight.
fn marked(source: &str, plain: &str) -> Option<Habit> {
    let (open, inside) = plain.match_indices("==").find_map(|(at, _)| {
        let before = plain.get(..at)?.chars().next_back();
        let (inside, after) = plain.get(at + 2..)?.split_once("==")?;
        let is_around = before.is_none_or(|it| it.is_whitespace() || it == '(')
            && !after.starts_with(|it: char| it.is_alphanumeric() || it == '=');
        let is_word = inside.starts_with(char::is_alphanumeric)
            && inside.ends_with(|it: char| it.is_alphanumeric() || ".!?".contains(it));
        (is_around && is_word && !inside.contains('\n')).then_some((at, inside))
    })?;
    let written = plain.get(open..open + inside.len() + 4)?;
    let at = source.find(written)?;
    Some(Habit {
        rule: Rule::MarkShown,
        span: at..at + written.len(),
        message: "this mark is shown as it is written",
        hint: format!("write `**{inside}**`"),
        new: None,
    })
}

/// A link to an address that stands nowhere: `[text][name]`.
fn reference(source: &str, plain: &str) -> Option<Habit> {
    let (text, name) = plain.match_indices("][").find_map(|(at, _)| {
        let (before, text) = plain.get(..at)?.rsplit_once('[')?;
        let (name, _) = plain.get(at + 2..)?.split_once(']')?;
        let is_around = before
            .chars()
            .next_back()
            .is_none_or(|it| it.is_whitespace() || it == '(');
        let is_text = text.len() > 1 && text.starts_with(char::is_alphabetic);
        let is_name = name.starts_with(char::is_alphanumeric) && !name.contains('\n');
        (is_around && is_text && is_name).then_some((text, name))
    })?;
    let written = format!("[{text}][{name}]");
    let at = source.find(&written)?;
    Some(Habit {
        rule: Rule::MarkShown,
        span: at..at + written.len(),
        message: "this link is shown as it is written: nothing says where it leads",
        hint: format!(
            "write `[{text}](https://…)`, or a line `[{name}]: https://…` with an empty line above it"
        ),
        new: None,
    })
}

/// Marks that are left in what learners read.
fn shown(source: &str, plain: &str) -> Option<Habit> {
    for (mark, message, hint) in MARKS {
        if !plain.contains(mark) {
            continue;
        }
        let at = source.find(mark)?;
        let is_link = mark != "] ("
            || source.get(at + 3..).is_some_and(|it| {
                it.starts_with("http") || it.starts_with('#') || it.contains(".md")
            });
        if is_link {
            return Some(Habit {
                rule: Rule::MarkShown,
                span: at..at + mark.len(),
                message,
                hint: hint.to_owned(),
                new: None,
            });
        }
    }
    let reversed = plain.find(")[").filter(|at| {
        let to = plain
            .get(at + 2..)
            .unwrap_or_default()
            .split(']')
            .next()
            .unwrap_or_default();
        to.starts_with("http") || to.starts_with('#') || to.contains(".md")
    });
    let at = reversed.and_then(|_| source.find(")["));
    at.map(|at| Habit {
        rule: Rule::MarkShown,
        span: at..at + 2,
        message: "this link is shown as it is written",
        hint: "write the text in `[ ]` and the address behind it in `( )`: `[text](address)`"
            .to_owned(),
        new: None,
    })
}

/// What is left of an id in the title of a heading, and how to write it.
pub(super) fn id_in_title(title: &str) -> Option<String> {
    let title = title.trim_end();
    let bare = title.trim_end_matches([':', '.']);
    let open = bare.rfind(['{', '('])?;
    let inside = bare.get(open + 1..)?.strip_suffix(['}', ')'])?;
    let is_brace = bare.get(open..)?.starts_with('{');
    if !is_brace && !inside.starts_with('#') {
        return None;
    }
    let id = inside.trim().trim_start_matches(['#', ' ']);
    let id = id.strip_prefix("id=").unwrap_or(id).trim_matches('"');
    let name = bare.get(..open)?.trim_end();
    (!id.is_empty() && !id.contains(char::is_whitespace)).then(|| format!("## {name} {{#{id}}}"))
}

/// Each line with its first byte.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(source: &str) -> Option<String> {
        habit(source, source).map(|it| it.hint)
    }

    #[test]
    fn marks_with_a_mistake_are_found() {
        for (source, part) in [
            (
                "##The bus {#bus}",
                "write `## The bus {#bus}`, with a space",
            ),
            (
                "**The bus** {#bus}",
                "write `## The bus {#bus}` on a line of its own",
            ),
            (
                "Text. ## The bus {#bus}",
                "write `## The bus {#bus}` on a line of its own",
            ),
            ("``python lab id=a", "write ```python lab id=a, with three"),
            (
                "```python lab id=a title=\"Call `f`\"\nf()",
                "leave the back-ticks in this line out",
            ),
            ("'''python check=a", "with three back-ticks"),
            ("| a | b |\n| 1 | 2 |", "write `| --- | --- |` under"),
            (
                "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |",
                "the lines with `+` out",
            ),
            ("see [it](#The bus)", "no spaces in the address"),
            ("see [it] (copies.md)", "without a space"),
            ("see (it)[copies.md]", "`[text](address)`"),
            ("> [!HINT] look", "`> [!TIP]`"),
            (
                "[!note] It is.",
                "`> [!NOTE]` on a line of its own, and `> It is.` under",
            ),
            (
                "[!WARNING]- It is.\nSo.",
                "`> [!WARNING]` on a line of its own",
            ),
            (":::note", "`> [!NOTE]`"),
            ("!!! note", "`> [!NOTE]`"),
            ("<!- pause ->", "`<!-- pause -->`"),
            (". . .", "`<!-- pause -->`"),
            ("they are ==equal==, or not", "write `**equal**`"),
            (
                "The [whole rule][bc] is.",
                "write `[whole rule](https://…)`, or a line `[bc]: https://…`",
            ),
        ] {
            let said = hint(source).unwrap_or_default();
            assert!(said.contains(part), "{source}: {said}");
        }
    }

    #[test]
    fn other_text_is_none() {
        for source in [
            "#1 is first",
            "a list (of two) [sic]",
            "x[0] (the first)",
            "`x`",
            "| a",
            "#include",
            "a {b} c",
            "and so on . . .",
            "if a == b and c == d",
            "x[0][1] and [1][2]",
            "```python f() ``` is code, and so is `x = 1`",
        ] {
            assert_eq!(hint(source), None, "{source}");
        }
    }

    #[test]
    fn an_id_in_a_title_is_found() {
        let found = |title: &str| id_in_title(title);
        for title in [
            "The bus (#bus)",
            "The bus {bus}",
            "The bus {# bus}",
            "The bus {#bus}:",
            "The bus {id=bus}",
        ] {
            assert_eq!(
                found(title).as_deref(),
                Some("## The bus {#bus}"),
                "{title}"
            );
        }
        for title in [
            "The bus",
            "The bus (old)",
            "A set {a, b}",
            "What `f(x)` does",
        ] {
            assert_eq!(found(title), None, "{title}");
        }
    }
}
