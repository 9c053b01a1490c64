//! The file in which an instructor writes to learners.
//!
//! ```toml
//! [[comment]]
//! learner = "ada"
//! lesson = "what-a-copy-costs"
//! question = "q-bus"              # or `lab`; about the whole lesson without both
//! text = "Look at the direction of the copy again."
//! ```

use std::collections::BTreeMap;
use warpup_course::toml_walk::{Fields, WithSpan, document};
use warpup_course::{Course, Diagnostic, LabId, Lesson, LessonId, QuestionId, Report, Rule};
use warpup_progress::{Comment, CommentSubject};

/// The keys of the file.
const KEYS: [&str; 1] = ["comment"];

/// The keys of a comment.
const OF_COMMENT: [&str; 5] = ["learner", "lesson", "question", "lab", "text"];

/// The most bytes of a comment, and of all comments for a learner, whose warpup reads no longer files.
const MOST: usize = 64 << 10;
const MOST_OF_LEARNER: usize = 4 * MOST;

/// Bytes of a comment beside its text.
const NAMES: usize = 256;

/// Reads the text of such a file: the comments for each learner.
///
/// # Errors
/// What is wrong with it, with places: unknown keys, learners without a hand-in, names that the course does not have, and comments that
/// are too long.
pub fn comments(
    text: &str,
    file: &str,
    course: &Course,
    learners: &[&str],
) -> Result<BTreeMap<String, Vec<Comment>>, Vec<Diagnostic>> {
    let mut report = Report::new(file);
    let (table, _) = document(text, &mut report);
    let fields = Fields::new("file of comments", table.get_ref(), 0..0);
    fields.check_keys(&KEYS, &mut report);
    let mut all = BTreeMap::<String, Vec<Comment>>::new();
    let mut bytes = BTreeMap::<_, usize>::new();
    for comment in fields.list("comment", &mut report) {
        let Some(fields) = Fields::of("comment", comment, &mut report) else {
            continue;
        };
        fields.check_keys(&OF_COMMENT, &mut report);
        let learner = named("learner", &fields, learners, &mut report);
        let span = match fields.get("text") {
            Some(text) => text.span(),
            None => 0..0,
        };
        if let (Some(learner), Some(comment)) = (learner, read(&fields, course, &mut report)) {
            let bytes = bytes.entry(learner).or_default();
            let before = *bytes;
            *bytes += comment.text.len() + NAMES;
            if *bytes > MOST_OF_LEARNER && before <= MOST_OF_LEARNER {
                let message = format!("these comments for `{learner}` are too long together");
                report.error(Rule::TextTooLong, span, message).hint(format!(
                    "send at most {} KiB to a learner at once, in files one after the other",
                    MOST_OF_LEARNER >> 10
                ));
            }
            all.entry(learner.to_owned()).or_default().push(comment);
        }
    }
    if report.errors() > 0 {
        return Err(report.into_diagnostics());
    }
    Ok(all)
}

fn read(fields: &Fields<'_>, course: &Course, report: &mut Report) -> Option<Comment> {
    let ids: Vec<_> = course.lessons.iter().map(|it| it.id.as_str()).collect();
    let id = named("lesson", fields, &ids, report);
    let text = fields.text("text", report);
    if let Some(text) = text.as_ref().filter(|it| it.value.len() > MOST) {
        let message = format!("this comment has more than {} KiB", MOST >> 10);
        let said = report.error(Rule::TextTooLong, text.span.clone(), message);
        said.hint("shorten it");
    }
    let id = LessonId::new(id?);
    let lesson = course.lessons.iter().find(|it| it.id == id)?;
    let about = about(fields, lesson, report);
    Some(Comment {
        text: text?.value.trim().to_owned(),
        about,
        lesson: id,
    })
}

/// What of the lesson it is about: all of it, where neither is named.
fn about(fields: &Fields<'_>, lesson: &Lesson, report: &mut Report) -> Option<CommentSubject> {
    match (fields.get("question"), fields.get("lab")) {
        (None, None) => None,
        (Some(_), None) => {
            let quiz = lesson.quiz.iter().flat_map(|it| &it.questions);
            let known: Vec<_> = quiz.map(|it| it.id.as_str()).collect();
            let id = named("question", fields, &known, report)?;
            Some(CommentSubject::Question(QuestionId::new(id)))
        }
        (None, Some(_)) => {
            let known: Vec<_> = lesson.labs.iter().map(|it| it.id.as_str()).collect();
            let id = named("lab", fields, &known, report)?;
            Some(CommentSubject::Lab(LabId::new(id)))
        }
        (Some(_), Some(lab)) => {
            let message = "this comment is about a question and about a lab";
            let said = report.error(Rule::UnknownKey, lab.span(), message);
            said.hint("write two comments");
            None
        }
    }
}

/// A text that is one of these names.
fn named<'a>(
    key: &str,
    fields: &Fields<'a>,
    known: &[&str],
    report: &mut Report,
) -> Option<&'a str> {
    let WithSpan { value, span } = fields.text(key, report)?;
    if known.contains(&value) {
        return Some(value);
    }
    let message = match key {
        "learner" => format!("`{value}` has handed nothing in there"),
        "lesson" => format!("the course has no lesson `{value}`"),
        what => format!("this lesson has no {what} `{value}`"),
    };
    report
        .error(Rule::UnknownKey, span, message)
        .one_of(value, known);
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_course::sample;

    fn read(text: &str) -> String {
        match comments(text, "comments.toml", &sample::course(), &["ada", "bob"]) {
            Ok(all) => format!("{all:#?}"),
            Err(wrong) => {
                let lines = wrong.iter().map(|it| {
                    let hint = it.hint.as_deref().unwrap_or_default();
                    format!("{}\n  {hint}", it.headline(text))
                });
                lines.collect::<Vec<_>>().join("\n")
            }
        }
    }

    #[test]
    fn comments_are_about_a_lesson_a_question_or_a_lab() {
        let text = "[[comment]]\nlearner = \"ada\"\nlesson = \"copies\"\ntext = \"\"\"\nGood.\n\"\"\"\n[[comment]]\nlearner = \"ada\"\nlesson = \"copies\"\nquestion = \"q-bus\"\ntext = \"Look.\"\n";
        insta::assert_snapshot!(read(text), @r#"
        {
            "ada": [
                Comment {
                    lesson: LessonId(
                        "copies",
                    ),
                    about: None,
                    text: "Good.",
                },
                Comment {
                    lesson: LessonId(
                        "copies",
                    ),
                    about: Some(
                        Question(
                            QuestionId(
                                "q-bus",
                            ),
                        ),
                    ),
                    text: "Look.",
                },
            ],
        }
        "#);
        insta::assert_snapshot!(read(""), @"{}");
    }

    #[test]
    fn what_no_learner_could_read_is_a_mistake_with_its_place() {
        let comment = |bytes| {
            let text = "x".repeat(bytes);
            format!("[[comment]]\nlearner = \"ada\"\nlesson = \"copies\"\ntext = \"{text}\"\n")
        };
        let most = MOST - NAMES;
        let all = [
            comment(MOST + 1),
            comment(most).repeat(4) + &comment(1).repeat(2),
        ];
        insta::assert_snapshot!(all.map(|it| read(&it)).join("\n---\n"), @"
        comments.toml:4:8: error[text-too-long]: this comment has more than 64 KiB
          shorten it
        ---
        comments.toml:20:8: error[text-too-long]: these comments for `ada` are too long together
          send at most 256 KiB to a learner at once, in files one after the other
        ");
        assert!(comments(&comment(most).repeat(4), "", &sample::course(), &["ada"]).is_ok());
    }

    #[test]
    fn a_mistake_has_its_place_and_what_was_probably_meant() {
        let all = [
            "[[comment]]\nlearner = \"bbo\"\nlesson = \"copys\"\ntext = \"Good.\"\n",
            "[[comment]]\nlearner = \"bob\"\nlesson = \"copies\"\nquestion = \"q-bsu\"\ntext = \"\"\n",
            "[[comment]]\nlearner = \"bob\"\nlesson = \"copies\"\nlab = \"x\"\nquestion = \"q-bus\"\ntexts = \"Good.\"\n",
            "[[comments]]\nlearner = \"bob\"\n",
        ];
        insta::assert_snapshot!(all.map(read).join("\n---\n"), @"
        comments.toml:2:11: error[unknown-key]: `bbo` has handed nothing in there
          did you mean `bob`?
        comments.toml:3:10: error[unknown-key]: the course has no lesson `copys`
          known are places, copies
        ---
        comments.toml:4:12: error[unknown-key]: this lesson has no question `q-bsu`
          did you mean `q-bus`?
        comments.toml:5:8: error[empty-text]: `text` is empty
          write the text between the quotes
        ---
        comments.toml:4:7: error[unknown-key]: this comment is about a question and about a lab
          write two comments
        comments.toml:6:1: error[unknown-key]: unknown key `texts` in a comment
          did you mean `text`?
        ---
        comments.toml:1:3: error[unknown-key]: unknown key `comments` in a file of comments
          did you mean `comment`?
        ");
    }
}
