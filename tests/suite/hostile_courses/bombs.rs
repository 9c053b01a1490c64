//! Lessons whose Markdown could cost much time or memory.

use super::{ANY, Case, ONE, case, is_full};

/// As much as a file of a course may have, less than what is there already.
pub(super) const MOST: usize = (1 << 20) - 2_000;

/// What Markdown has to keep in mind when it is repeated.
const REPEATED: [&str; 26] = [
    ">", "> ", "[", "[a](", "![", "*", "**a ", "_a ", "~~a", "`", "``` ", "|", "|-", "<", "<a ",
    "<!--", "&", "&amp", "\\", "- ", "1. ", "[^a]", "\t", "$", "$a ", "<i>",
];

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (at, text) in REPEATED.into_iter().enumerate() {
        let on_one_line = case(format!("a mebibyte of {text}"), ANY, &[], move |it| {
            it.append(ONE, text.repeat(MOST / text.len()));
        });
        let in_lines = case(format!("a mebibyte of lines {text}"), ANY, &[], move |it| {
            it.append(ONE, format!("{text}\n").repeat(MOST / (text.len() + 1)));
        });
        if is_full() || at % 2 == 0 {
            cases.push(on_one_line);
        }
        if is_full() || at % 2 == 1 {
            cases.push(in_lines);
        }
    }
    cases.extend(large_lessons());
    cases
}

/// Much of one thing.
fn large_lessons() -> Vec<Case> {
    let more =
        |name: &str, text: fn() -> String| case(name, ANY, &[], move |it| it.append(ONE, text()));
    vec![
        more("a line of a mebibyte", || "x".repeat(MOST)),
        more("a line of wide characters", || "漢".repeat(MOST / 3)),
        more("a letter with 500,000 accents", || {
            format!("a{}", "\u{301}".repeat(MOST / 2))
        }),
        more("10,000 pages", || {
            (0..10_000)
                .map(|n| format!("## Page {n}\n\nx\n\n"))
                .collect()
        }),
        more("a table of 65,536 cells", || {
            let row = format!("{}|\n", "|a".repeat(64));
            format!("{row}{}|\n{}", "|-".repeat(64), row.repeat(1_024))
        }),
        more("lists in lists", || {
            (0..1_000)
                .map(|n| format!("{}- a\n", " ".repeat(n)))
                .collect()
        }),
        more("quotations in lists in quotations", || {
            format!("{}a", "> - ".repeat(MOST / 4))
        }),
        more("definitions of links", || {
            (0..40_000).map(|n| format!("[{n}]: #second\n")).collect()
        }),
        more("one link, 100,000 times", || {
            format!("{}\n\n[a]: #nowhere\n", "[a] ".repeat(100_000))
        }),
        more("footnotes that are never there", || {
            (0..60_000).map(|n| format!("[^{n}] ")).collect()
        }),
        more("details in details", || {
            "<details><summary>a</summary>\n\n".repeat(20_000)
        }),
        more("10,000 labs", || {
            (0..10_000)
                .map(|n| format!("```python lab id=l{n}\nx\n```\n\n"))
                .collect()
        }),
        more("10,000 checks of one lab", || {
            "```python check=print\nx\n```\n\n".repeat(10_000)
        }),
        more("50,000 attributes of a lab", || {
            let many: String = (0..50_000).map(|n| format!(" k{n}=v")).collect();
            format!("```python lab id=many{many}\nx\n```\n")
        }),
        more("entities", || "&nvinfin;&#x202e;&#27;&#0;".repeat(20_000)),
    ]
}
