//! The questions of a draft as tables of a quiz file.

use super::line::{on_one_line, without_images};
use super::model::{AnswerForm, DraftNearMiss, DraftOption, DraftQuestion};
use crate::markup::markdown_of_plain;
use crate::remark::Remarks;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value, value};
use warpup_course::kinds::Tolerance;

/// A question as a table of a quiz file.
pub(super) struct QuestionTable {
    pub(super) table: Table,
    comment: String,
}

impl QuestionTable {
    /// Says above the question what its author says about it.
    pub(super) fn set_comment(&mut self) {
        self.table
            .decor_mut()
            .set_prefix(format!("\n{}", self.comment));
    }
}

/// A quiz file of these questions.
pub(super) fn document(
    id: &str,
    title: &str,
    questions: impl IntoIterator<Item = Table>,
) -> String {
    let mut document = DocumentMut::new();
    document.insert("format", value(1));
    document.insert("id", value(id));
    document.insert("title", value(title));
    let questions: ArrayOfTables = questions.into_iter().collect();
    document.insert("question", Item::ArrayOfTables(questions));
    document.to_string()
}

/// What a model explanation contains where the file does not say.
const PARTS: [&str; 2] = [
    "Write here what a good explanation says first.",
    "Write here what it says next.",
];

/// A question, with what a quiz needs and its file lacks.
pub(super) fn question(question: DraftQuestion, changed: &mut Remarks) -> QuestionTable {
    let place = question.place.clone();
    let mut writer = TableWriter {
        table: Table::new(),
        changed,
        place,
    };
    let DraftQuestion {
        name,
        category,
        prompt,
        explain,
        hints,
        points,
        form,
        ..
    } = question;
    let explain = explain.filter(|it| !it.trim().is_empty());
    let explain = explain.unwrap_or_else(|| {
        writer.say("there is no explanation: `explain` repeats what is right, write why");
        key_of(&form)
    });
    writer.set("id", name);
    writer.set("type", type_of(&form));
    writer.block("prompt", &prompt);
    if points != 1 && !matches!(form, AnswerForm::Words { .. }) {
        writer.table.insert("points", value(i64::from(points)));
    }
    writer.form(form);
    let hints: Vec<String> = hints
        .iter()
        .map(|it| writer.line(it))
        .filter(|it| !it.is_empty())
        .collect();
    if !hints.is_empty() {
        writer
            .table
            .insert("hints", value(hints.into_iter().collect::<Array>()));
    }
    writer.block("explain", &explain);
    let category = category.map(|it| it.chars().filter(|it| !it.is_control()).collect::<String>());
    let comment = category.map_or(String::new(), |it| format!("# Category: {it}\n"));
    QuestionTable {
        table: writer.table,
        comment,
    }
}

fn type_of(form: &AnswerForm) -> &'static str {
    match form {
        AnswerForm::Single { .. } => "single",
        AnswerForm::Multi { .. } => "multi",
        AnswerForm::Numeric { .. } => "numeric",
        AnswerForm::Text { .. } => "text",
        AnswerForm::Match { .. } => "match",
        AnswerForm::Order { .. } => "order",
        AnswerForm::Words { .. } => "words",
    }
}

/// An explanation that says what is right.
fn key_of(form: &AnswerForm) -> String {
    match form {
        AnswerForm::Single { options, .. } | AnswerForm::Multi { options, .. } => {
            let right: Vec<&str> = options
                .iter()
                .filter(|it| it.correct)
                .map(|it| it.text.trim())
                .collect();
            format!("Right: {}", right.join("; "))
        }
        AnswerForm::Numeric { answer, unit, .. } => {
            let unit = unit
                .as_ref()
                .map_or(String::new(), |it| format!(" {}", markdown_of_plain(it)));
            format!("Right: {answer}{unit}")
        }
        AnswerForm::Text { accept, .. } => {
            let accept: Vec<String> = accept.iter().map(|it| markdown_of_plain(it)).collect();
            format!("Right: {}", accept.join(", or "))
        }
        AnswerForm::Match { pairs } => {
            let pairs: Vec<String> = pairs
                .iter()
                .map(|(left, right)| format!("{left}: {right}"))
                .collect();
            format!("Right: {}", pairs.join("; "))
        }
        AnswerForm::Order { items } => format!("Right: {}", items.join("; ")),
        AnswerForm::Words { .. } => "Write here what a good explanation says.".to_owned(),
    }
}

struct TableWriter<'a> {
    table: Table,
    changed: &'a mut Remarks,
    place: String,
}

impl TableWriter<'_> {
    fn say(&mut self, what: &str) {
        self.changed.say(self.place.clone(), what);
    }

    fn set(&mut self, key: &str, text: impl Into<String>) {
        self.table.insert(key, value(text.into()));
    }

    /// Markdown without images.
    fn markdown(&mut self, markdown: &str) -> String {
        let (text, has_images) = without_images(markdown);
        if has_images {
            self.say("images are left out, with their words in their place");
        }
        text.trim().to_owned()
    }

    fn block(&mut self, key: &str, markdown: &str) {
        let text = self.markdown(markdown);
        // On lines of its own, a text of several lines is easier to change.
        let text = if text.contains('\n') {
            format!("{text}\n")
        } else {
            text
        };
        self.set(key, text);
    }

    fn line(&mut self, markdown: &str) -> String {
        if markdown.trim().contains("```") {
            self.say("code in an option or in feedback is on one line");
        }
        on_one_line(&self.markdown(markdown))
    }

    fn form(&mut self, form: AnswerForm) {
        match form {
            AnswerForm::Single { options, shuffle } => self.options(options, shuffle),
            AnswerForm::Multi {
                options,
                shuffle,
                partial,
            } => {
                self.options(options, shuffle);
                if partial {
                    self.table.insert("partial", value(true));
                }
            }
            AnswerForm::Numeric {
                answer,
                tolerance,
                unit,
                near,
            } => self.numeric(answer, tolerance, unit, near),
            AnswerForm::Text { accept, case, near } => {
                self.table
                    .insert("accept", value(accept.into_iter().collect::<Array>()));
                if case {
                    self.table.insert("case", value(true));
                }
                let near: Vec<InlineTable> = near
                    .into_iter()
                    .map(|(text, feedback)| {
                        let mut entry = InlineTable::new();
                        entry.insert("text", text.into());
                        entry.insert("feedback", self.line(&feedback).into());
                        entry
                    })
                    .collect();
                self.list("near", near);
            }
            AnswerForm::Match { pairs } => {
                let pairs = pairs.iter().enumerate().map(|(at, (left, right))| {
                    let mut entry = named(at);
                    entry.insert("left", self.line(left).into());
                    entry.insert("right", self.line(right).into());
                    entry
                });
                let pairs = pairs.collect();
                self.list("pairs", pairs);
            }
            AnswerForm::Order { items } => {
                let items = items.iter().enumerate().map(|(at, text)| {
                    let mut entry = named(at);
                    entry.insert("text", self.line(text).into());
                    entry
                });
                let items = items.collect();
                self.list("items", items);
            }
            AnswerForm::Words { parts } => {
                let mut parts: Vec<String> = parts.iter().map(|it| self.line(it)).collect();
                if !(2..=5).contains(&parts.len()) {
                    self.say(
                        "it does not list the parts of a good explanation: write them in `parts`",
                    );
                    parts = PARTS.map(str::to_owned).to_vec();
                }
                let mut list: Array = parts.into_iter().collect();
                on_lines(&mut list);
                self.table.insert("parts", value(list));
            }
        }
    }

    fn options(&mut self, options: Vec<DraftOption>, shuffle: bool) {
        let entries = options.into_iter().enumerate().map(|(at, option)| {
            let mut entry = named(at);
            if !option.id.is_empty() {
                entry.insert("id", option.id.into());
            }
            entry.insert("text", self.line(&option.text).into());
            if option.correct {
                entry.insert("correct", true.into());
            }
            let feedback = option.feedback.map(|it| self.line(&it));
            if let Some(feedback) = feedback.filter(|it| !it.is_empty()) {
                entry.insert("feedback", feedback.into());
            }
            entry
        });
        let entries = entries.collect();
        self.list("options", entries);
        if !shuffle {
            self.table.insert("shuffle", value(false));
        }
    }

    fn numeric(
        &mut self,
        answer: f64,
        tolerance: Tolerance,
        unit: Option<String>,
        near: Vec<DraftNearMiss>,
    ) {
        self.table.insert("answer", value(number(answer)));
        if let Some(tolerance) = tolerance_table(tolerance) {
            self.table.insert("tolerance", value(tolerance));
        }
        if let Some(unit) = unit {
            self.set("unit", unit);
        }
        let near = near.into_iter().map(|it| {
            let mut entry = InlineTable::new();
            entry.insert("value", number(it.value));
            if let Some(tolerance) = tolerance_table(it.tolerance) {
                entry.insert("tolerance", tolerance.into());
            }
            entry.insert("feedback", self.line(&it.feedback).into());
            entry
        });
        let near = near.collect();
        self.list("near", near);
    }

    /// A list with an entry on each line.
    fn list(&mut self, key: &str, entries: Vec<InlineTable>) {
        if entries.is_empty() {
            return;
        }
        let mut list: Array = entries.into_iter().map(Value::from).collect();
        on_lines(&mut list);
        self.table.insert(key, value(list));
    }
}

/// An entry whose name is the letter of its place.
fn named(at: usize) -> InlineTable {
    let letter = u8::try_from(at).ok().and_then(|it| b'a'.checked_add(it));
    let letter = letter.filter(u8::is_ascii_lowercase).map(char::from);
    let mut entry = InlineTable::new();
    let id = letter.map_or_else(|| format!("choice-{at}"), |it| it.to_string());
    entry.insert("id", id.into());
    entry
}

fn on_lines(list: &mut Array) {
    for entry in list.iter_mut() {
        entry.decor_mut().set_prefix("\n  ");
    }
    list.set_trailing("\n");
    list.set_trailing_comma(true);
}

/// A whole number without a point.
fn number(of: f64) -> Value {
    // Beyond this, not every whole number is one of `f64`.
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    if of.fract() == 0.0 && of.abs() < WHOLE {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it is whole and below 2^53"
        )]
        return (of as i64).into();
    }
    of.into()
}

fn tolerance_table(tolerance: Tolerance) -> Option<InlineTable> {
    let mut table = InlineTable::new();
    match tolerance {
        Tolerance::Exact => return None,
        Tolerance::Abs(off) => table.insert("abs", number(off)),
        Tolerance::Rel(off) => table.insert("rel", number(off)),
        Tolerance::Range(low, high) => {
            let range: Array = [number(low), number(high)].into_iter().collect();
            table.insert("range", range.into())
        }
    };
    Some(table)
}
