//! What changed between two editions of a course, as far as learners notice who took the older one.
//!
//! Progress is stored under ids, and answers with the hash of their question. So a name that is gone, and a key that is
//! another, matter to them; a text that is clearer does not.

use super::diagnostics::{Diagnostic, Rule, Severity};
use super::lesson::{Course, Lab, Lesson};
use super::model::{BlockKind, ChoiceId, Text};
use super::quiz::Question;
use std::collections::BTreeSet;
use std::ops::Range;

/// What changed from `old` to `new`. Lessons of which a file is among the `broken` ones are left out: what is missing there may
/// be there again once they can be read.
pub fn changes(old: &Course, new: &Course, broken: &BTreeSet<&str>) -> Vec<Diagnostic> {
    let mut changes = Changes(Vec::new());
    if old.id != new.id {
        let what = format!("the id of the course was `{}`", old.id);
        changes.add(
            Rule::RenamedId,
            EditionPosition::start("lessons/course.toml"),
            what,
            "all progress is stored under it: learners would begin again, so write the old one",
        );
    }
    for lesson in &old.lessons {
        match new.lessons.iter().find(|it| it.id == lesson.id) {
            Some(now) => changes.of_lesson(lesson, now, broken),
            None if broken.is_empty() => changes.without_lesson(lesson, old, new),
            None => {}
        }
    }
    changes.0
}

/// A place in a file of the newer edition.
struct EditionPosition {
    file: String,
    span: Range<usize>,
}

impl EditionPosition {
    fn start(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            span: 0..0,
        }
    }

    fn of(question: &Question, file: &str) -> Self {
        Self {
            file: file.to_owned(),
            span: question.head(),
        }
    }

    fn lab(lab: &Lab, lesson: &Lesson) -> Self {
        Self {
            file: lesson.file.clone(),
            span: lab.span.start..lab.span.start,
        }
    }
}

/// The changes so far.
struct Changes(Vec<Diagnostic>);

impl Changes {
    fn add(
        &mut self,
        rule: Rule,
        place: EditionPosition,
        message: String,
        hint: impl Into<String>,
    ) {
        self.0.push(Diagnostic {
            severity: Severity::Warning,
            rule,
            file: place.file,
            span: place.span,
            message,
            hint: Some(hint.into()),
            fix: None,
        });
    }

    fn without_lesson(&mut self, lesson: &Lesson, old: &Course, new: &Course) {
        let is_new = |it: &&Lesson| old.lessons.iter().all(|old| old.id != it.id);
        let is_it = |it: &&Lesson| it.file == lesson.file || it.title == lesson.title;
        let id = &lesson.id;
        match new.lessons.iter().filter(is_new).find(is_it) {
            Some(now) => self.add(
                Rule::RenamedId,
                EditionPosition::start(&now.file),
                format!("lesson `{}` had the id `{id}`", now.id),
                format!("who passed it would have to pass it again: write `id = \"{id}\"`"),
            ),
            None => self.add(
                Rule::RemovedId,
                EditionPosition::start("lessons/course.toml"),
                format!("lesson `{id}` is gone"),
                "a pass of it stays stored and is not shown; never use its id for another lesson",
            ),
        }
    }

    fn of_lesson(&mut self, old: &Lesson, new: &Lesson, broken: &BTreeSet<&str>) {
        if !broken.contains(new.file.as_str()) {
            for lab in &old.labs {
                if new.labs.iter().all(|it| it.id != lab.id) {
                    self.without_lab(lab, old, new);
                }
            }
        }
        let (Some(old_quiz), Some(quiz)) = (&old.quiz, &new.quiz) else {
            return;
        };
        if broken.contains(quiz.file.as_str()) {
            return;
        }
        for question in &old_quiz.questions {
            match quiz.questions.iter().find(|it| it.id == question.id) {
                Some(now) => self.of_question(question, now, &quiz.file),
                None => {
                    let known = |it: &&Question| old_quiz.question(&it.id).is_none();
                    let added = quiz.questions.iter().filter(known);
                    self.without_question(question, added, &quiz.file);
                }
            }
        }
    }

    fn without_lab(&mut self, lab: &Lab, old: &Lesson, new: &Lesson) {
        let is_new = |it: &&Lab| old.labs.iter().all(|old| old.id != it.id);
        let is_it = |it: &&Lab| it.starter == lab.starter || it.title == lab.title;
        let id = &lab.id;
        match new.labs.iter().filter(is_new).find(is_it) {
            Some(now) => self.add(
                Rule::RenamedId,
                EditionPosition::lab(now, new),
                format!("lab `{}` had the id `{id}`", now.id),
                format!(
                    "its runs and the learners' programs are stored under that: write `id={id}`"
                ),
            ),
            None => self.add(
                Rule::RemovedId,
                EditionPosition::start(&new.file),
                format!("lab `{id}` is gone"),
                "its runs stay stored and are not shown; never use its id for another lab",
            ),
        }
    }

    fn without_question<'q>(
        &mut self,
        question: &Question,
        mut added: impl Iterator<Item = &'q Question>,
        file: &str,
    ) {
        let id = &question.id;
        let is_it = |it: &&Question| it.hash == question.hash || prompt(it) == prompt(question);
        match added.find(is_it) {
            Some(now) => self.add(
                Rule::RenamedId,
                EditionPosition::of(now, file),
                format!("question `{}` had the id `{id}`", now.id),
                format!("its answers are stored under that: write `id = \"{id}\"`"),
            ),
            None => self.add(
                Rule::RemovedId,
                EditionPosition::start(file),
                format!("question `{id}` is gone"),
                "a pass stays; an open attempt gets another question, and never use its id for another one",
            ),
        }
    }

    fn of_question(&mut self, old: &Question, new: &Question, file: &str) {
        let id = &new.id;
        let is_renamed = |(id, text): &&(ChoiceId, String)| {
            let now = new.kind.choices();
            now.iter().all(|it| it.0 != *id) && now.iter().any(|it| it.1 == *text)
        };
        let (before, now) = (old.kind.choices(), new.kind.choices());
        let renamed: Vec<_> = before.iter().filter(is_renamed).collect();
        if let [(choice, text), ..] = renamed.as_slice() {
            let now = now.iter().find(|it| it.1 == *text);
            let now = now.map_or("", |it| it.0.as_str());
            self.add(
                Rule::RenamedId,
                EditionPosition::of(new, file),
                format!("option `{now}` of question `{id}` had the id `{choice}`"),
                format!(
                    "answers are stored under that, and would be asked again: write `{choice}`"
                ),
            );
        } else if old.hash != new.hash {
            let what = if prompt(old) == prompt(new) {
                "other choices or another key"
            } else {
                "another text"
            };
            self.add(
                Rule::ChangedKey,
                EditionPosition::of(new, file),
                format!("question `{id}` has {what} now"),
                "a pass stays; earlier answers belong to the older question, so learners can answer this one again",
            );
        }
        if old.points != new.points {
            let (was, is) = (old.points, new.points);
            self.add(
                Rule::ChangedPoints,
                EditionPosition::of(new, file),
                format!("question `{id}` had {was} points and has {is}"),
                "a pass stays; attempts that are handed in from now on count the new points",
            );
        }
    }
}

/// The words and programs of a prompt, without their looks and places.
fn prompt(question: &Question) -> Vec<String> {
    let blocks = question.prompt.iter();
    blocks
        .map(|it| match &it.kind {
            BlockKind::Paragraph(text) | BlockKind::Heading { text, .. } => text.plain(),
            BlockKind::Code { code, .. } => code.clone(),
            BlockKind::Figure { art, .. } => art.clone(),
            BlockKind::Table { head, rows, .. } => {
                let cells = rows.iter().flatten().chain(head);
                cells.map(Text::plain).collect::<Vec<_>>().join("|")
            }
            BlockKind::Lab(id) => id.to_string(),
            BlockKind::Rule => String::new(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    /// What changes for learners when a text of the sample course does.
    fn changed(old: &str, new: &str) -> String {
        let before = sample::course();
        let (after, found) = sample::changed(|_, text| text.replace(old, new));
        let errors = found.iter().filter(|it| it.severity == Severity::Error);
        let broken = errors.map(|it| it.file.as_str()).collect();
        let changes = changes(&before, &after, &broken).into_iter();
        let changes = changes.map(|it| format!("{}: {}\n", it.rule.name(), it.message));
        changes.collect()
    }

    #[test]
    fn texts_that_no_answer_depends_on_change_nothing() {
        assert_eq!(changed("A copy is never free.", "Each copy costs."), "");
        assert_eq!(changed("Not slow, narrow.", "It is narrow."), "");
        assert_eq!(
            changed("title = \"What a copy costs\"", "title = \"Copies\""),
            ""
        );
    }

    #[test]
    fn names_that_are_others_are_named() {
        insta::assert_snapshot!(changed("id = \"copies\"\ntitle = \"What a copy costs\"\nsummary", "id = \"the-copies\"\ntitle = \"What a copy costs\"\nsummary"), @"renamed-id: lesson `the-copies` had the id `copies`");
        insta::assert_snapshot!(changed("=bus", "=the-bus-lab"), @"renamed-id: lab `the-bus-lab` had the id `bus`");
        insta::assert_snapshot!(changed("id = \"q-bus\"", "id = \"q-road\""), @"renamed-id: question `q-road` had the id `q-bus`");
        insta::assert_snapshot!(changed("{ id = \"slow\"", "{ id = \"sluggish\""), @"
        renamed-id: option `sluggish` of question `q-sum` had the id `slow`
        renamed-id: option `sluggish` of question `q-bus` had the id `slow`
        ");
    }

    #[test]
    fn what_is_gone_is_named() {
        let question = "[[question]]\nid = \"q-bytes\"\ntype = \"numeric\"\nprompt = \"How many bytes?\"\nanswer = 24\nunit = \"B\"\nhints = [\"Think of a road.\"]\nexplain = \"Because it is so.\"\nsee = \"#the-bus\"\n";
        insta::assert_snapshot!(changed(question, ""), @"removed-id: question `q-bytes` is gone");
        insta::assert_snapshot!(changed("\"places.md\", \"copies.md\"", "\"places.md\""), @"removed-id: lesson `copies` is gone");
    }

    #[test]
    fn keys_and_points_that_are_others_are_named() {
        insta::assert_snapshot!(changed("answer = 24", "answer = 25"), @"
        changed-key: question `q-bytes` has other choices or another key now
        changed-key: question `q-bytes` has other choices or another key now
        ");
        insta::assert_snapshot!(changed("How many bytes?", "How many bytes are there?"), @"changed-key: question `q-bytes` has another text now");
        insta::assert_snapshot!(changed("type = \"order\"\nprompt = \"In", "type = \"order\"\npoints = 3\nprompt = \"In"), @"changed-points: question `q-order` had 1 points and has 3");
    }

    #[test]
    fn what_cannot_be_read_now_is_not_called_gone() {
        assert_eq!(changed("type = \"match\"", "type = \"macth\""), "");
    }
}
