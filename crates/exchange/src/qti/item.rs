//! A question as an item: what is asked, how it is scored, and what is said.

use super::interaction::{Interaction, interaction};
use super::parts::{identifier, text_html};
use crate::markup::joined;
use crate::markup::{Dialect, escaped, html_of_blocks};
use crate::remark::Remarks;
use std::fmt::Write as _;
use warpup_course::{Block, BlockKind, Question, QuestionKind, Quiz};

/// What is shown after any answer.
const EXPLAIN: &str = "EXPLAIN";

/// The XML of a question; nothing for a prediction, which is about a run.
pub(super) fn item(quiz: &Quiz, question: &Question, remarks: &mut Remarks) -> Option<String> {
    let place = format!("{}/{}", quiz.id, question.id);
    let mut say = |what: &str| remarks.say(place.clone(), what);
    let Some(interaction) = interaction(question, &mut say) else {
        say("a prediction is compared with a run of its lab: left out");
        return None;
    };
    if question.version_of.is_some() {
        say("a version of a question is an item of its own");
    }
    if !question.hints.is_empty() {
        say("hints are left out");
    }
    let Interaction {
        cardinality,
        base,
        correct,
        mapping,
        body,
        score,
        feedback,
    } = interaction;
    let values = joined(
        correct
            .iter()
            .map(|it| format!("<value>{}</value>", escaped(it))),
    );
    let correct = if correct.is_empty() {
        String::new()
    } else {
        format!("<correctResponse>{values}</correctResponse>")
    };
    let mut said = String::new();
    for (name, text) in &feedback {
        said.push_str(&modal(name, &format!("<p>{}</p>", text_html(text))));
    }
    let mut explain = html_of_blocks(&question.explain, Dialect::Qti);
    if let QuestionKind::Words(words) = &question.kind {
        let parts = joined(
            words
                .parts
                .iter()
                .map(|it| format!("<li>{}</li>", text_html(it))),
        );
        let _ = write!(explain, "<p>A good explanation says:</p><ul>{parts}</ul>");
    }
    said.push_str(&modal(EXPLAIN, &explain));
    let id = identifier(&place.replace('/', "."));
    let title = escaped(&title(question));
    let prompt = body_of(&question.prompt);
    Some(format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
<assessmentItem xmlns=\"http://www.imsglobal.org/xsd/imsqti_v2p1\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
xsi:schemaLocation=\"http://www.imsglobal.org/xsd/imsqti_v2p1 http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd\" \
identifier=\"{id}\" title=\"{title}\" adaptive=\"false\" timeDependent=\"false\" toolName=\"warpup\" toolVersion=\"{version}\">\n\
<responseDeclaration identifier=\"RESPONSE\" cardinality=\"{cardinality}\" baseType=\"{base}\">{correct}{mapping}</responseDeclaration>\n\
<outcomeDeclaration identifier=\"SCORE\" cardinality=\"single\" baseType=\"float\"><defaultValue><value>0</value></defaultValue></outcomeDeclaration>\n\
<outcomeDeclaration identifier=\"MAXSCORE\" cardinality=\"single\" baseType=\"float\"><defaultValue><value>{points}</value></defaultValue></outcomeDeclaration>\n\
<outcomeDeclaration identifier=\"FEEDBACK\" cardinality=\"multiple\" baseType=\"identifier\"/>\n\
<itemBody>\n{prompt}{body}\n</itemBody>\n\
<responseProcessing>\n{score}</responseProcessing>\n{said}</assessmentItem>\n",
        version = env!("CARGO_PKG_VERSION"),
        points = question.points,
    ))
}

/// The start of the question.
fn title(question: &Question) -> String {
    let id = question.id.to_string();
    let mut paragraphs = question.prompt.iter().filter_map(|it| {
        let BlockKind::Paragraph(text) = &it.kind else {
            return None;
        };
        Some(text.plain())
    });
    let first = paragraphs.next();
    let words: String = first
        .unwrap_or_default()
        .replace('\n', " ")
        .chars()
        .take(60)
        .collect();
    if words.is_empty() {
        id
    } else {
        format!("{id}: {words}")
    }
}

fn body_of(prompt: &[Block]) -> String {
    html_of_blocks(prompt, Dialect::Qti)
}

fn modal(name: &str, html: &str) -> String {
    format!(
        "<modalFeedback outcomeIdentifier=\"FEEDBACK\" identifier=\"{name}\" showHide=\"show\">\n{html}\n</modalFeedback>\n"
    )
}
