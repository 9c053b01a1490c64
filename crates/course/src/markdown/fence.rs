//! The words after a fence: language, flags and attributes, as in `python lab id=copy title="Copy it"`. And the fenced
//! blocks that are shown, not run: code and drawings.

use crate::diagnostics::{Report, Rule};
use crate::model::{BlockKind, FIGURE_COLUMNS};
use crate::toml_walk::{FileOffsets, WithSpan};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;
use warpup_text::shown::Shown;

/// The words after a fence.
#[derive(Debug)]
pub(crate) struct Info<'a> {
    /// The first word; empty if there is none.
    pub(crate) language: WithSpan<&'a str>,
    /// Words without `=` after it.
    pub(crate) flags: Vec<WithSpan<&'a str>>,
    /// Words with `=`.
    pub(crate) attributes: Vec<Attribute<'a>>,
}

/// `key=value` or `key="value"`.
#[derive(Debug)]
pub(crate) struct Attribute<'a> {
    /// In front of the `=`.
    pub(crate) key: WithSpan<&'a str>,
    /// Behind it, without quotes.
    pub(crate) value: WithSpan<&'a str>,
}

/// The attributes of blocks that belong to a lab.
pub(crate) const LAB_BLOCKS: [&str; 3] = ["check", "solution", "same-as"];

/// Attributes whose values are texts.
const TEXTS: [&str; 3] = ["title", "alt", "stops"];

/// Languages that a fence may name; a near miss of one is reported.
const LANGUAGES: [&str; 24] = [
    "text",
    "python",
    "rust",
    "cuda",
    "c",
    "cpp",
    "console",
    "sh",
    "bash",
    "toml",
    "json",
    "yaml",
    "diff",
    "markdown",
    "html",
    "javascript",
    "sql",
    "make",
    "dockerfile",
    "ini",
    "ptx",
    "asm",
    "csv",
    "xml",
];

/// Languages of diagrams, of which other tools make pictures.
const DIAGRAMS: [&str; 7] = [
    "mermaid", "plantuml", "puml", "dot", "graphviz", "tikz", "d2",
];

/// What is in the braces of a directive of `MyST` or `reStructuredText` that is a callout.
const NOTES: [&str; 14] = [
    "admonition",
    "attention",
    "caution",
    "danger",
    "error",
    "hint",
    "important",
    "note",
    "seealso",
    "tip",
    "todo",
    "topic",
    "versionadded",
    "warning",
];

/// What is in the braces of a directive that shows a picture.
const PICTURES: [&str; 3] = ["figure", "image", "video"];

/// What is in the braces of a cell that runs, as Quarto, R Markdown and others have it.
const CELLS: [&str; 4] = ["python", "code-cell", "python3", "pyodide"];

impl<'a> Info<'a> {
    /// Takes the words apart; `range` is where they are in `text`, which is at `spot`.
    pub(crate) fn parse(
        text: &'a str,
        range: &Range<usize>,
        spot: &FileOffsets,
        report: &mut Report,
    ) -> Self {
        let mut info = Self {
            language: WithSpan {
                value: "",
                span: spot.span(&(range.start..range.start)),
            },
            flags: Vec::new(),
            attributes: Vec::new(),
        };
        let mut at = range.start;
        // Where the value of the last attribute begins, if it is a text without quotes: the words behind it belong to it.
        let mut unquoted = None;
        while let Some(word) = next_word(text, at, range.end) {
            at = word.end;
            let written = text.get(word.clone()).unwrap_or_default();
            let here = |from: usize, to: usize| WithSpan {
                value: text.get(from..to).unwrap_or_default(),
                span: spot.span(&(from..to)),
            };
            if let (Some(from), false) = (unquoted, written.contains('='))
                && let Some(last) = info.attributes.last_mut()
            {
                last.value = here(from, word.end);
                continue;
            }
            unquoted = None;
            if info.language.value.is_empty() {
                info.language = here(word.start, word.end);
            } else if let Some((key, value)) = written.split_once('=') {
                let from = word.start + key.len() + 1;
                let quoted = value.strip_prefix('"');
                let closed = quoted.and_then(|it| it.strip_suffix('"'));
                if quoted.is_some() && closed.is_none() {
                    report
                        .error(
                            Rule::QuoteNotClosed,
                            spot.span(&(from..word.end)),
                            "this quote is not closed",
                        )
                        .hint(format!(
                            "write `{key}=\"…\"`, with a `\"` behind the last word"
                        ));
                }
                if quoted.is_none() && TEXTS.contains(&key) {
                    unquoted = Some(from);
                }
                let open = usize::from(quoted.is_some());
                let close = usize::from(closed.is_some());
                info.attributes.push(Attribute {
                    key: here(word.start, word.start + key.len()),
                    value: here(from + open, (word.end - close).max(from + open)),
                });
            } else {
                info.flags.push(here(word.start, word.end));
            }
        }
        info.check_quotes(report);
        info
    }

    /// Reports texts of several words without quotes.
    fn check_quotes(&self, report: &mut Report) {
        for Attribute { key, value } in &self.attributes {
            let words = value.value;
            if !TEXTS.contains(&key.value) || value.span.start == key.span.end + 2 {
                continue;
            }
            if words.contains(char::is_whitespace) {
                let message = format!(
                    "the value of `{}` has several words and no quotes",
                    key.value
                );
                let quoted = format!("\"{}\"", words.trim_matches(['\'', '"']));
                report
                    .error(Rule::TitleNotQuoted, value.span.clone(), message)
                    .fixed_by(words, quoted.clone())
                    .hint(format!("write `{}={quoted}`", key.value));
            }
        }
    }

    /// The flag of this name.
    pub(crate) fn flag(&self, name: &str) -> Option<&WithSpan<&'a str>> {
        self.flags.iter().find(|it| it.value == name)
    }

    /// The value of this attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&WithSpan<&'a str>> {
        self.attributes
            .iter()
            .find(|it| it.key.value == name)
            .map(|it| &it.value)
    }

    /// Reports attributes that are unknown here, or given twice.
    pub(crate) fn check_attributes(&self, what: &str, known: &[&str], report: &mut Report) {
        for (index, attribute) in self.attributes.iter().enumerate() {
            let key = attribute.key.value;
            if !known.contains(&key) {
                let message = format!("unknown attribute `{key}` of a {what}");
                report
                    .error(Rule::UnknownAttribute, attribute.key.span.clone(), message)
                    .known(key, known);
                continue;
            }
            let mut earlier = self.attributes.iter().take(index);
            if earlier.any(|it| it.key.value == key) {
                let message = format!("`{key}` is given twice");
                report
                    .error(Rule::AttributeTwice, attribute.key.span.clone(), message)
                    .hint("remove one of the two");
            }
        }
    }

    /// Reports flags other than these.
    pub(crate) fn check_flags(&self, known: &[&str], report: &mut Report) {
        for flag in self.flags.iter().filter(|it| !known.contains(&it.value)) {
            let message = format!("unknown word `{}` after the fence", flag.value);
            report
                .error(Rule::UnknownWord, flag.span.clone(), message)
                .did_you_mean_or(flag.value, ["lab", "figure"], "leave it out; a word that belongs to a value is inside its quotes, as in `title=\"Copy it\"`");
        }
    }

    /// Warns of a language that is not known.
    pub(crate) fn check_language(&self, report: &mut Report) {
        let language = self.language.value;
        if language.is_empty() || LANGUAGES.contains(&language) {
            return;
        }
        let message = format!("unknown language `{language}`");
        let said = report.warning(Rule::UnknownLanguage, self.language.span.clone(), message);
        let bare = language.trim_matches(['{', '}', '.', ',', '=']);
        if DIAGRAMS.contains(&bare.to_lowercase().as_str()) {
            said.hint("no picture is made of this: draw it with characters, in a block that begins with ```text figure alt=\"…\"");
        } else if !language.starts_with('{') {
            said.did_you_mean_or(
                language,
                LANGUAGES,
                "it is shown without colours; `text` says that this is meant",
            );
        } else if CELLS.contains(&bare) {
            said.hint("a cell of a notebook is a lab here: write ```python lab id=some-name title=\"…\", and leave out the options of the cell; a program that is only shown begins with ```python");
        } else {
            said.hint(directive(bare));
        }
    }
}

/// What to write in place of a fence with this word in braces.
fn directive(word: &str) -> String {
    let lower = word.to_lowercase();
    let lower = lower.as_str();
    if NOTES.contains(&lower) {
        "this is not a callout here: write `> [!NOTE]` on a line of its own, and `> ` in front of each line of the note, without the fences".to_owned()
    } else if PICTURES.contains(&lower) {
        "images are not shown: draw it with characters, in a block that begins with ```text figure alt=\"…\"".to_owned()
    } else if lower == "math" {
        "formulas are not set: write it in words, or in a block that begins with ```text".to_owned()
    } else if ["dropdown", "toggle", "solution"].contains(&lower) {
        "a part that opens is `<details><summary>Answer</summary>`, and `</details>` where it ends, each with empty lines around it".to_owned()
    } else if lower.starts_with("code") || lower == "sourcecode" {
        "write the language alone behind the fence, such as ```python".to_owned()
    } else if lower.is_empty() || LANGUAGES.contains(&lower) {
        let bare = if lower.is_empty() { "text" } else { lower };
        format!("write ```{bare}, without braces")
    } else {
        format!(
            "directives such as `{{{word}}}` are shown as they are written: write its text without the fences, or ```text if it is meant to be shown so"
        )
    }
}

/// What a fence that is no lab shows.
pub(crate) fn code_block(
    info: &Info<'_>,
    code: String,
    span: &Range<usize>,
    report: &mut Report,
) -> BlockKind {
    info.check_flags(&["figure"], report);
    info.check_language(report);
    if info.flag("figure").is_some() {
        return figure(info, code, span, report);
    }
    if info.flags.is_empty() {
        // An unknown word has been reported; what follows it may well belong to what was meant.
        info.check_attributes("code block", &LAB_BLOCKS, report);
    }
    BlockKind::Code {
        language: info.language.value.to_owned(),
        code,
    }
}

fn figure(info: &Info<'_>, art: String, span: &Range<usize>, report: &mut Report) -> BlockKind {
    info.check_attributes("figure", &["alt"], report);
    let widest = art
        .lines()
        .map(|line| Shown::one_line(line).as_str().width())
        .max()
        .unwrap_or(0);
    if widest > FIGURE_COLUMNS {
        report
            .error(
                Rule::FigureTooWide,
                span.clone(),
                format!("the figure is {widest} columns wide; {FIGURE_COLUMNS} fit everywhere"),
            )
            .hint("draw it narrower: a wider one breaks on a small terminal");
    }
    let alt = info.attribute("alt").map_or("", |it| it.value.trim());
    if !alt.is_empty() {
        return BlockKind::Figure {
            alt: alt.to_owned(),
            art,
        };
    }
    report
        .error(
            Rule::FigureWithoutAlt,
            info.language.span.clone(),
            "the figure has no words for those who cannot see it",
        )
        .hint("write `text figure alt=\"…\"`");
    BlockKind::Code {
        language: "text".to_owned(),
        code: art,
    }
}

/// The next word at or after `at`; a quote reaches over spaces.
fn next_word(text: &str, at: usize, end: usize) -> Option<Range<usize>> {
    let rest = text.get(at..end)?;
    let start = at + rest.len() - rest.trim_start().len();
    let mut quoted = false;
    let word = text.get(start..end)?;
    let len = word
        .find(|it: char| {
            quoted ^= it == '"';
            it.is_whitespace() && !quoted
        })
        .unwrap_or(word.len());
    (len > 0).then_some(start..start + len)
}
