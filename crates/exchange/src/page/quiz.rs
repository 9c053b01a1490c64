//! A quiz on the page: each question with its answer folded below it.

use super::{PageWriter, anchor};
use crate::markup::escaped;
use crate::options::{Keys, on_paper, pass_rule};
use crate::printed_question::{SheetPart, answer, emphasised, hints};
use std::fmt::Write as _;
use warpup_course::{Lesson, Question, Quiz, Sheet, Text};

impl PageWriter<'_> {
    /// A quiz under a heading of this level.
    pub(super) fn quiz(&self, lesson: &Lesson, quiz: &Quiz, level: u8) -> String {
        let questions = on_paper(quiz);
        let id = anchor(lesson, "the-quiz");
        let mut out = format!(
            "<section class=\"quiz\" id=\"{id}\">\n<h{level}>Quiz: {}</h{level}>\n<p class=\"soft\">{} Take it: <code>warpup quiz {}</code></p>\n<ol class=\"questions\">\n",
            escaped(&quiz.title),
            pass_rule(quiz),
            escaped(lesson.id.as_str()),
        );
        for question in questions {
            let _ = writeln!(out, "<li>\n{}</li>", self.question(lesson, question, level));
        }
        out.push_str("</ol>\n</section>\n");
        out
    }

    fn question(&self, lesson: &Lesson, question: &Question, level: u8) -> String {
        let sheet = question.sheet();
        let name = question.id.as_str();
        let written = |part: &SheetPart| self.with_html(lesson, name, level, |it| it.blocks(part));
        let mut out = written(&question.prompt);
        out.push_str(&self.choices(lesson, &sheet));
        out.extend(hints(question).iter().map(written));
        let answer = answer(question, &sheet, emphasised);
        if self.keys == Keys::Shown && !answer.is_empty() {
            out.push_str("<details>\n<summary>Answer</summary>\n");
            out.extend(answer.iter().map(written));
            out.push_str("</details>\n");
        }
        out
    }

    /// What there is to choose from, and how.
    pub(super) fn choices(&self, lesson: &Lesson, sheet: &Sheet) -> String {
        let mut out = format!("<p class=\"soft\">{}</p>\n", escaped(&sheet.how));
        for list in [&sheet.choices, &sheet.others] {
            if list.is_empty() {
                continue;
            }
            out.push_str("<ol class=\"choices\">\n");
            for choice in list {
                let _ = writeln!(out, "<li>{}</li>", self.line(lesson, choice));
            }
            out.push_str("</ol>\n");
        }
        out
    }

    fn line(&self, lesson: &Lesson, text: &Text) -> String {
        self.with_html(lesson, "", 2, |it| it.text(text))
    }
}
