//! Markup of other tools in a paragraph: templates, directives, roles, LaTeX, and what extensions of Markdown have.

use super::habits::Habit;
use crate::diagnostics::Rule;

/// Marks at the beginning of a line, and what to write.
const AT_START: [(&str, &str); 14] = [
    (
        "+++",
        "a lesson has one head, at its beginning: remove this one, down to its last line `+++`",
    ),
    ("• ", BULLETS),
    ("◦ ", BULLETS),
    ("▪ ", BULLETS),
    ("● ", BULLETS),
    (
        "=== \"",
        "there are no tabs: write the parts one below the other, each with a line that says what it is",
    ),
    ("??? ", DETAILS),
    ("???+ ", DETAILS),
    (
        "{:",
        "attributes are not read: leave this line out; a callout begins with `> [!NOTE]`",
    ),
    (
        ": ",
        "there are no lists of definitions: write `- **word**: what it means`",
    ),
    (
        "#+",
        "write a block between lines of three back-ticks, and a heading with `##`",
    ),
    ("//// ", DETAILS),
    ("/// ", DETAILS),
    (
        "@[",
        "nothing is embedded: write what it shows, or a link `[text](https://…)`",
    ),
];

/// What to write for a part that opens.
const DETAILS: &str = "write `> [!NOTE]` and `> ` in front of each line of the note; a part that opens is `<details><summary>Answer</summary>`, and `</details>` where it ends";

/// What to write for the list of a word processor.
const BULLETS: &str =
    "write `- ` in front of each item of a list, and an empty line above the first";

/// Marks anywhere in what learners read, and what to write.
const ANYWHERE: [(&str, &str); 7] = [
    ("{%", TEMPLATE),
    ("{{", TEMPLATE),
    (
        "[@",
        "citations are not set: write the source in words, or as a link `[text](https://…)`",
    ),
    ("]{", "attributes in braces are not read: leave them out"),
    ("){.", "attributes in braces are not read: leave them out"),
    ("){#", "attributes in braces are not read: leave them out"),
    ("){:", "attributes in braces are not read: leave them out"),
];

const TEMPLATE: &str = "no template is filled in here: write what it stands for";

/// Commands of LaTeX that are no formula.
const LATEX: [&str; 20] = [
    "begin",
    "end",
    "item",
    "textbf",
    "textit",
    "emph",
    "texttt",
    "underline",
    "cite",
    "citep",
    "ref",
    "eqref",
    "label",
    "includegraphics",
    "section",
    "subsection",
    "caption",
    "footnote",
    "newpage",
    "pagebreak",
];

/// Roles of `MyST` (`{ref}`) and `reStructuredText` (`:ref:`), which are in front of code.
const ROLES: [&str; 16] = [
    "abbr", "any", "attr", "class", "cite", "cite:p", "cite:t", "doc", "download", "func", "math",
    "meth", "mod", "numref", "ref", "term",
];

/// Names of signs between colons that people use.
const SIGNS: [&str; 24] = [
    "boom",
    "bug",
    "bulb",
    "construction",
    "exclamation",
    "eyes",
    "fire",
    "heavy_check_mark",
    "information_source",
    "memo",
    "no_entry",
    "pencil",
    "point_right",
    "question",
    "rocket",
    "smile",
    "sparkles",
    "star",
    "tada",
    "thinking",
    "warning",
    "white_check_mark",
    "wink",
    "zap",
];

/// The first mark of another tool in a paragraph: `source` is as written, `plain` what learners read of it that is no code and no
/// link.
pub(super) fn markup(source: &str, plain: &str) -> Option<Habit> {
    directive(source)
        .or_else(|| at_start(source, plain))
        .or_else(|| anywhere(source, plain))
        .or_else(|| latex(source, plain))
        .or_else(|| role(source, plain))
        .or_else(|| sign(source, plain))
        .or_else(|| gap(source, plain))
        .or_else(|| columns(source))
}

/// A directive of reStructuredText.
fn directive(source: &str) -> Option<Habit> {
    let line = source.lines().next()?;
    let (name, _) = line.strip_prefix(".. ")?.split_once("::")?;
    let is_name = |it: char| it.is_ascii_alphanumeric() || "-:_".contains(it);
    name.chars().all(is_name).then(|| {
        let hint = match name {
            "image" | "figure" => {
                "images are not shown: draw it in a block ```text figure alt=\"…\""
            }
            "code" | "code-block" | "sourcecode" => {
                "write a block between lines of three back-ticks, as ```python begins one"
            }
            "math" => "formulas are not set: write it in words, or as code between back-ticks",
            _ => {
                "write `> [!NOTE]` on a line of its own, and `> ` in front of each line of the note"
            }
        };
        shown(0, line, hint)
    })
}

/// A line that begins with a mark.
fn at_start(source: &str, plain: &str) -> Option<Habit> {
    let mut at = 0;
    for (number, line) in source.split_inclusive('\n').enumerate() {
        let found = AT_START.iter().find(|it| line.starts_with(it.0));
        let start = at;
        at += line.len();
        let Some((mark, hint)) = found else {
            continue;
        };
        // What is defined is above.
        let is_it = *mark != ": " || number > 0;
        if is_it && plain.contains(mark.trim_end()) {
            return Some(shown(start, line.trim_end(), hint));
        }
    }
    None
}

fn anywhere(source: &str, plain: &str) -> Option<Habit> {
    if !source.contains(['{', '@']) {
        return None;
    }
    ANYWHERE.iter().find_map(|(mark, hint)| {
        let is_there = plain.contains(mark) || mark.starts_with(')') && source.contains(mark);
        let at = source.find(mark).filter(|_| is_there)?;
        Some(shown(at, mark, hint))
    })
}

fn latex(source: &str, plain: &str) -> Option<Habit> {
    let word = |rest: &str| {
        let letters = rest.chars().take_while(char::is_ascii_alphabetic);
        letters.collect::<String>()
    };
    let mut names = plain.split('\\').skip(1).map(word);
    let name = names.find(|it| LATEX.contains(&it.as_str()))?;
    let written = format!("\\{name}");
    let at = source.find(&written)?;
    Some(shown(
        at,
        &written,
        "LaTeX is not set: write it in Markdown, such as `**bold**`, `- item`, `## heading` or `[text](address)`",
    ))
}

fn role(source: &str, plain: &str) -> Option<Habit> {
    // Most texts have neither, and a course may have many.
    if !plain.contains([':', '{']) || !source.contains('`') {
        return None;
    }
    ROLES.iter().find_map(|name| {
        let forms = [format!("{{{name}}}"), format!(":{name}:")];
        forms.into_iter().find_map(|form| {
            let at = source.find(&format!("{form}`"))?;
            plain.contains(&form).then(|| {
                shown(at, &form, "roles of other tools are shown as they are written: write a link, `[text](#page)` or `[text](lesson.md#page)`, or the code alone")
            })
        })
    })
}

fn sign(source: &str, plain: &str) -> Option<Habit> {
    plain.matches(':').nth(1)?;
    SIGNS.iter().find_map(|name| {
        let written = format!(":{name}:");
        let at = source.find(&written)?;
        plain.contains(&written).then(|| {
            shown(
                at,
                &written,
                "a sign has no name here: write the sign itself, or leave it out",
            )
        })
    })
}

/// A gap in a text as Moodle has it, such as `{1:SHORTANSWER:=clone}`.
fn gap(source: &str, plain: &str) -> Option<Habit> {
    let inside = plain.split('{').skip(1).find(|it| {
        let mut parts = it.split(':');
        let points = parts.next().unwrap_or_default();
        let kind = parts.next().unwrap_or_default();
        let is_kind = kind.len() > 1 && kind.chars().all(|it| it.is_ascii_uppercase() || it == '_');
        points.chars().all(|it| it.is_ascii_digit()) && is_kind && parts.next().is_some()
    })?;
    let written = format!("{{{}", inside.split_inclusive('}').next()?);
    let at = source.find(&written)?;
    Some(shown(
        at,
        &written,
        "there are no gaps in a text: ask for what is in it, with `type = \"text\"` and `accept = [\"…\"]`, or with `type = \"single\"` and options",
    ))
}

/// Lines with tabs between their columns, as from a spreadsheet.
fn columns(source: &str) -> Option<Habit> {
    let first = source.lines().next()?;
    let columns = first.trim().split('\t').count();
    let is_row = |it: &str| it.trim().split('\t').count() == columns;
    (columns > 1 && source.lines().count() > 1 && source.lines().all(is_row)).then(|| Habit {
        rule: Rule::TableForm,
        span: 0..first.len(),
        message: "this is not a table: tabs are shown as spaces",
        hint: format!(
            "write `|` around the cells of each line, and `|{}` under the first",
            " --- |".repeat(columns)
        ),
        new: None,
    })
}

fn shown(at: usize, written: &str, hint: &str) -> Habit {
    Habit {
        rule: Rule::MarkShown,
        span: at..at + written.len(),
        message: "this mark is shown as it is written",
        hint: hint.to_owned(),
        new: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(source: &str, plain: &str) -> Option<String> {
        markup(source, plain).map(|it| it.hint)
    }

    #[test]
    fn markup_of_other_tools_is_found() {
        for (source, part) in [
            ("=== \"PyTorch\"", "there are no tabs"),
            ("??? note \"More\"", "<details>"),
            ("Text.\n{: .note }", "leave this line out"),
            ("• a view\n• a clone", "write `- `"),
            ("+++\nformat = 1", "one head"),
            ("view\n: a tensor", "`- **word**: what it means`"),
            ("{% include view.html %}", "no template"),
            ("{{< figure src=\"a.png\" >}}", "no template"),
            ("It is slow [@paszke2019].", "citations"),
            ("It is [slow]{.mark}.", "attributes in braces"),
            ("[it](https://a.org){.button}", "attributes in braces"),
            ("\\begin{itemize}\n\\item a view", "LaTeX"),
            ("It is \\textbf{slow}.", "LaTeX"),
            (".. note::", "`> [!NOTE]`"),
            (".. code-block:: python", "```python"),
            (".. image:: a.png", "images are not shown"),
            (":warning: It is slow.", "write the sign itself"),
            ("It is {1:SHORTANSWER:=clone}.", "no gaps in a text"),
            ("type\tbytes\nfloat32\t4\nfloat64\t8", "`| --- | --- |`"),
        ] {
            let said = hint(source, source).unwrap_or_default();
            assert!(said.contains(part), "{source}: {said}");
        }
        for form in ["{ref}", ":func:"] {
            let said = hint(&format!("See {form}`slice`."), &format!("See {form}."));
            assert!(said.unwrap_or_default().contains("write a link"), "{form}");
        }
    }

    #[test]
    fn other_text_is_none() {
        for source in [
            "a: b\nc: d",
            ": at the start",
            "x = {a: 1}",
            "... and so on ::",
            ".. note",
            "{ref} and {class}",
            "a:b:c at 10:30:00",
            "The \\ and \\alpha",
            "a == b === c",
            "(a) {b}",
            "an e-mail to a@b.org [1]",
            "a set {1: 2} and {x:Y}",
            "one\ttab\nand a line without",
        ] {
            assert_eq!(hint(source, source), None, "{source}");
        }
        assert_eq!(hint("`{{ x }}` is code", " is code"), None);
        assert_eq!(hint("`\\item` is code", " is code"), None);
    }
}
