//! Flash cards for Anki, as the text file that its importer reads.
//!
//! Each card has an id of its own, so that a second import changes the cards of the first and keeps what was learned.

use super::markup::{Dialect, html_of_blocks};
use super::printed_question::{SheetPart, answer, emphasised, hints, offered};
use super::remark::Remarks;
use crate::markup::joined;
use warpup_course::{CourseId, Question, QuestionKind, Quiz};

/// The first lines: how the rest is read.
const HEAD: &str =
    "#separator:tab\n#html:true\n#notetype:Basic\n#guid column:1\n#deck column:2\n#tags column:5\n";

/// The cards of these quizzes, each quiz a deck in the deck of the course.
pub fn write(course: &CourseId, title: &str, quizzes: &[&Quiz], remarks: &mut Remarks) -> String {
    let mut out = HEAD.to_owned();
    for quiz in quizzes {
        // A deck in another one is written with two colons between them.
        let deck = format!("{}::{}", deck_name(title), deck_name(&quiz.title));
        for question in &quiz.questions {
            let place = format!("{}/{}", quiz.id, question.id);
            if let QuestionKind::Predict(_) = question.kind {
                remarks.say(
                    place,
                    "a prediction is compared with a run of its lab: left out",
                );
                continue;
            }
            if question.is_keyless() {
                remarks.say(place, "the question has no key here: left out");
                continue;
            }
            let guid = format!("{course}/{place}");
            let row = [
                guid,
                deck.clone(),
                front(question),
                back(question),
                format!("warpup {}", quiz.id),
            ];
            let row: Vec<String> = row.iter().map(|it| field(it)).collect();
            out.push_str(&row.join("\t"));
            out.push('\n');
        }
    }
    out
}

fn deck_name(title: &str) -> String {
    title.replace("::", ":").replace(['\t', '\n', '\r'], " ")
}

/// A field in quotes. A line feed outside of code means nothing in HTML, and inside of it Anki wants a tag.
fn field(text: &str) -> String {
    format!("\"{}\"", text.trim_end().replace('"', "\"\""))
}

fn written(parts: &[SheetPart]) -> String {
    joined(parts.iter().map(|it| html_of_blocks(it, Dialect::Web)))
}

fn front(question: &Question) -> String {
    let mut parts = vec![question.prompt.clone()];
    parts.extend(offered(&question.sheet(), |_| String::new()));
    parts.extend(hints(question));
    written(&parts)
}

fn back(question: &Question) -> String {
    written(&answer(question, &question.sheet(), emphasised))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests as sample;

    #[test]
    fn a_card_has_an_id_a_deck_two_sides_and_tags() {
        let course = warpup_course::sample::course();
        let quiz = course.lessons[0].quiz.as_ref().unwrap();
        let mut remarks = Remarks::default();
        let text = write(&course.id, "A \"course\"", &[quiz], &mut remarks);
        let card = text
            .split_inclusive("\t\"warpup places\"\n")
            .next()
            .unwrap();
        insta::assert_snapshot!(card, @r#"
        #separator:tab
        #html:true
        #notetype:Basic
        #guid column:1
        #deck column:2
        #tags column:5
        "warpup/places/q-place"	"A ""course""::Where a tensor lives"	"<p>Where does <code>y</code> live?</p>
        <p><em>Choose one.</em></p>
        <ul>
        <li>the host</li>
        <li>the card</li>
        </ul>
        <details>
        <summary>Hint</summary>
        <p>Think of the bus.</p>
        </details>"	"<ul>
        <li>the card</li>
        </ul>
        <p>Because it is so.</p>
        <p>About the answers:</p>
        <ul>
        <li><em>the host</em> Not host.</li>
        </ul>"	"warpup places"
        "#);
    }

    #[test]
    fn all_questions_but_predictions_become_cards_whose_ids_differ() {
        let quizzes = sample::shipped();
        let all: Vec<&Quiz> = quizzes.iter().collect();
        let mut remarks = Remarks::default();
        let text = write(&CourseId::new("warpup"), "T", &all, &mut remarks);
        let mut ids: Vec<&str> = text
            .lines()
            .filter_map(|it| it.strip_prefix("\"warpup/"))
            .collect();
        let asked = |it: &&Question| !matches!(it.kind, QuestionKind::Predict(_));
        let questions = quizzes
            .iter()
            .flat_map(|it| &it.questions)
            .filter(asked)
            .count();
        assert_eq!(ids.len(), questions);
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), questions);
    }
}
