//! A quiz without its keys, as `keys = false` says.
//!
//! The file is written from what was read, so nothing else of the old one is left behind: no comment, no key that this does not know.

use crate::remark::Remarks;
use std::collections::BTreeMap;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value, value};
use warpup_course::kinds::{PredictForm, Prediction};
use warpup_course::{
    ChoiceNames, FileValue, Question, QuestionId, QuestionKind, Quiz, WithoutKey, WrittenQuestion,
    written,
};

/// The file of a quiz that was read from `text`, without its keys.
pub(super) fn without_keys(quiz: &Quiz, text: &str, remarks: &mut Remarks) -> String {
    let texts = written(text);
    let mut file = DocumentMut::new();
    file.insert("format", value(1));
    file.insert("id", value(&quiz.id));
    file.insert("title", value(&quiz.title));
    let mut pass = InlineTable::new();
    pass.insert("above_percent", i64::from(quiz.pass.above_percent).into());
    file.insert("pass", value(pass));
    if let Some(ask) = quiz.ask.and_then(|it| i64::try_from(it).ok()) {
        file.insert("ask", value(ask));
    }
    file.insert("keys", value(false));
    let mut questions = ArrayOfTables::new();
    for question in &quiz.questions {
        if question.name() != &question.id {
            // A version is written with the first one.
            continue;
        }
        if let QuestionKind::Words(_) = question.kind {
            let place = format!("{}/{}", quiz.id, question.id);
            remarks.say(
                place,
                "a question for the learner's own words is nothing without its explanation: left out",
            );
            continue;
        }
        questions.push(of(quiz, question, &texts));
    }
    file.insert("question", Item::ArrayOfTables(questions));
    file.to_string()
}

/// The texts of the questions in the file.
type Texts = BTreeMap<QuestionId, WrittenQuestion>;

/// A question with its versions.
fn of(quiz: &Quiz, question: &Question, texts: &Texts) -> Table {
    let mut table = Table::new();
    table.insert("id", value(question.id.as_str()));
    table.insert("type", value(question.kind.word()));
    if question.points != 1 {
        table.insert("points", value(i64::from(question.points)));
    }
    for (key, is_so) in [("short", question.short), ("always", question.always)] {
        if is_so {
            table.insert(key, value(true));
        }
    }
    if let Some(see) = &question.see {
        table.insert("see", value(format!("#{see}")));
    }
    if question.version_of.is_none() {
        asked(&mut table, question, texts);
        return table;
    }
    let mut versions = ArrayOfTables::new();
    for version in quiz
        .questions
        .iter()
        .filter(|it| it.name() == question.name())
    {
        let mut of_version = Table::new();
        asked(&mut of_version, version, texts);
        versions.push(of_version);
    }
    table.insert("version", Item::ArrayOfTables(versions));
    table
}

/// What learners read of a question, or of a version, and how they answer.
fn asked(table: &mut Table, question: &Question, texts: &Texts) {
    let nothing = WrittenQuestion::default();
    let texts = texts.get(&question.id).unwrap_or(&nothing);
    table.insert("prompt", value(&texts.prompt));
    if !texts.hints.is_empty() {
        table.insert("hints", value(texts.hints.iter().collect::<Array>()));
    }
    if let QuestionKind::Predict(prediction) = &question.kind {
        predicted(table, question, prediction, texts);
    } else {
        // One that has no key already keeps its names.
        let without = WithoutKey::of(&question.kind);
        let offered = without.as_ref().map_or(&question.kind, |it| &it.kind);
        let names = without.as_ref().map(|it| &it.names);
        for (key, value) in offered.offered() {
            table.insert(key, Item::Value(in_file(value, names, texts)));
        }
    }
}

/// A value as the file has it, with the Markdown of choices.
fn in_file(value: FileValue, names: Option<&ChoiceNames>, texts: &WrittenQuestion) -> Value {
    match value {
        FileValue::Flag(flag) => flag.into(),
        FileValue::Text(text) => text.into(),
        FileValue::Texts(texts) => Value::Array(texts.into_iter().collect()),
        FileValue::Choice(id) => {
            let whole = names.map_or(Some(&id), |it| it.choice(&id));
            markdown(whole.and_then(|it| texts.choices.get(it)))
        }
        FileValue::Left(id) => {
            let whole = names.map_or(Some(&id), |it| it.left(&id));
            markdown(whole.and_then(|it| texts.lefts.get(it)))
        }
        FileValue::Tables(tables) => {
            let tables = tables.into_iter().map(|table| {
                let entries = table.into_iter();
                let entries = entries.map(|(key, it)| (key, in_file(it, names, texts)));
                Value::InlineTable(entries.collect())
            });
            Value::Array(lines(tables))
        }
    }
}

fn markdown(text: Option<&String>) -> Value {
    text.map_or("", String::as_str).into()
}

/// A list with each entry on a line.
fn lines(entries: impl Iterator<Item = Value>) -> Array {
    let mut list = Array::new();
    for mut entry in entries {
        entry.decor_mut().set_prefix("\n  ");
        list.push_formatted(entry);
    }
    list.set_trailing("\n");
    list.set_trailing_comma(true);
    list
}

/// A prediction, which is compared with a run of its lab: it has no key.
fn predicted(table: &mut Table, question: &Question, of: &Prediction, texts: &WrittenQuestion) {
    table.insert("lab", value(of.lab.as_str()));
    table.insert("metric", value(&of.metric));
    if question.counts {
        table.insert("counts", value(true));
    }
    match &of.form {
        PredictForm::Number {
            unit,
            within_factor,
        } => {
            if let Some(unit) = unit {
                table.insert("unit", value(unit));
            }
            table.insert("within_factor", value(*within_factor));
        }
        PredictForm::Bins(bins) => {
            let bins = bins.iter().map(|it| {
                let mut bin = InlineTable::new();
                let text = texts.choices.get(&it.id).map_or("", String::as_str);
                bin.insert("id", it.id.as_str().into());
                bin.insert("text", text.into());
                for (key, end) in [("from", it.from), ("to", it.to)] {
                    if end.is_finite() {
                        bin.insert(key, end.into());
                    }
                }
                Value::from(bin)
            });
            table.insert("bins", value(lines(bins)));
        }
    }
}
