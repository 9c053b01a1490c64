//! Reads GIFT.

use super::answers::answers;
use super::escape::restored;
use super::questions::{Chunk, chunks};
use super::reading::{Markup, PARTS, Reading, UNIT, format_of};
use crate::draft::{AnswerForm, Draft, DraftQuestion, ImportedQuiz, MAX_READ};
use crate::remark::Remarks;

/// The quiz of a GIFT file.
pub fn read(text: &str, title: &str) -> ImportedQuiz {
    let mut draft = Draft::default();
    let mut chunks = chunks(text);
    draft.unread = chunks.len().saturating_sub(MAX_READ);
    chunks.truncate(MAX_READ);
    for chunk in chunks {
        let place = format!("line {}", chunk.line);
        match question(&chunk, &mut draft.changed) {
            Ok(question) => draft.questions.push(question),
            Err(why) => draft.left_out.say(place, why),
        }
    }
    draft.into_quiz(title)
}

/// One question; why not, where it cannot be read.
fn question(chunk: &Chunk, changed: &mut Remarks) -> Result<DraftQuestion, String> {
    let (name, text) = match chunk.text.trim().strip_prefix("::") {
        Some(rest) => rest
            .split_once("::")
            .ok_or("its title has no end: write `::title::`")?,
        None => ("", chunk.text.trim()),
    };
    let (markup, text) = format_of(text.trim());
    let mut reading = Reading {
        place: format!("line {}", chunk.line),
        markup: markup.unwrap_or(Markup::Moodle),
        changed,
    };
    let Some((before, rest)) = text.split_once('{') else {
        return Err(
            "it has no answers in braces, so it asks nothing: put it into the lesson".to_owned(),
        );
    };
    let Some((inside, after)) = rest.split_once('}') else {
        return Err("its answers have no end: write `}` behind the last one, and `\\{` for a brace in a text".to_owned());
    };
    let (answers_text, general) = match inside.split_once("####") {
        Some((answers, general)) => (answers, reading.some_markdown(general)),
        None => (inside, None),
    };
    let read = answers(answers_text, &mut reading)?;
    let prompt = if after.trim().is_empty() {
        before.to_owned()
    } else {
        format!("{} _____ {}", before.trim_end(), after.trim())
    };
    // The blank means nothing in Markdown.
    let prompt = reading.markdown(&prompt).replace(r"\_\_\_\_\_", "_____");
    if prompt.is_empty() {
        return Err("it has answers and no question: write the question before the `{`".to_owned());
    }
    let mut question = DraftQuestion {
        place: reading.place.clone(),
        name: restored(name.trim()),
        category: chunk.category.clone(),
        prompt,
        explain: general.or(read.said),
        hints: Vec::new(),
        points: 1,
        form: read.form,
    };
    take_unit(&mut question);
    take_parts(&mut question);
    Ok(question)
}

/// Takes a unit out of the last paragraph, if that says nothing else.
fn take_unit(question: &mut DraftQuestion) {
    let AnswerForm::Numeric { unit, .. } = &mut question.form else {
        return;
    };
    let (prompt, last) = question.prompt.rsplit_once('\n').unwrap_or_default();
    let named = last.strip_prefix(UNIT).and_then(|it| it.strip_suffix('.'));
    let named = named.filter(|it| !it.is_empty() && !it.contains(char::is_whitespace));
    if let Some(named) = named {
        *unit = Some(named.replace('\\', ""));
        question.prompt = prompt.trim_end().to_owned();
    }
}

/// Takes the parts of a good explanation out of its end: a list of 2 to 5.
fn take_parts(question: &mut DraftQuestion) {
    let AnswerForm::Words { parts } = &mut question.form else {
        return;
    };
    let explain = question.explain.clone().unwrap_or_default();
    let Some((model, list)) = explain.split_once(PARTS) else {
        return;
    };
    let items = list
        .trim()
        .lines()
        .map(|it| it.trim().strip_prefix("- ").map(str::to_owned));
    if let Some(items) = items.collect::<Option<Vec<String>>>() {
        *parts = items;
        question.explain = Some(model.trim_end().to_owned());
    }
}
