//! A quiz file from a draft.

use super::model::Draft;
use super::{prove, table};
use crate::remark::Remark;
use std::collections::BTreeSet;
use toml_edit::{Item, Table};
use warpup_course::toml_walk::name::slug;

/// More questions of one file are left out, as in any quiz.
const MAX_QUESTIONS: usize = 200;
const TOO_MANY: &str = "a quiz may have 200 questions, and it has them: make two files of this one";

/// A quiz that was read from another tool's file.
#[derive(Debug)]
pub struct ImportedQuiz {
    /// The quiz file; nothing if no question could be read.
    pub quiz: Option<String>,
    /// How many questions it has.
    pub questions: usize,
    /// What was left out, and why.
    pub left_out: Vec<Remark>,
    /// What is there in another form.
    pub changed: Vec<Remark>,
}

impl Draft {
    /// The quiz file of the questions that a quiz may have.
    pub(crate) fn into_quiz(mut self, title: &str) -> ImportedQuiz {
        self.name_all();
        let id = Some(slug(title)).filter(|it| !it.is_empty());
        let id = id.unwrap_or_else(|| "quiz".to_owned());
        if self.unread > 0 {
            let rest = format!("the last {} questions", self.unread);
            self.left_out.say(rest, TOO_MANY);
        }
        let mut good = Vec::new();
        for question in std::mem::take(&mut self.questions) {
            let place = question.place.clone();
            if good.len() >= MAX_QUESTIONS {
                self.left_out.say(place, TOO_MANY);
                continue;
            }
            let mut written = table::question(question, &mut self.changed);
            let alone = table::document(&id, title, [written.table.clone()]);
            match prove::mistake(&alone) {
                Some(why) => self.left_out.say(place, why),
                None => {
                    written.set_comment();
                    good.push(written.table);
                }
            }
        }
        let questions = good.len();
        let is_words = |it: &Table| it.get("type").and_then(Item::as_str) == Some("words");
        if questions > 0 && good.iter().all(is_words) {
            let what = "no question is graded, so nobody can pass this quiz: add one";
            self.changed.say("the whole quiz", what);
        }
        ImportedQuiz {
            quiz: (questions > 0).then(|| table::document(&id, title, good)),
            questions,
            left_out: self.left_out.into_vec(),
            changed: self.changed.into_vec(),
        }
    }

    /// Gives each question a name of its own that a quiz may have.
    fn name_all(&mut self) {
        let mut taken = BTreeSet::new();
        for (at, question) in self.questions.iter_mut().enumerate() {
            let name = Some(slug(&question.name)).filter(|it| !it.is_empty());
            let name = name.unwrap_or_else(|| format!("q-{}", at + 1));
            // Room for a number at the end.
            let short: String = name.chars().take(58).collect();
            let numbered = (2..).map(|it| format!("{}-{it}", short.trim_end_matches('-')));
            let mut free = [name].into_iter().chain(numbered);
            let name = free.find(|it| !taken.contains(it)).unwrap_or_default();
            taken.insert(name.clone());
            question.name = name;
        }
    }
}
