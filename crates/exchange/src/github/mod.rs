//! A course, or a lesson of it, as ordinary Markdown, which GitHub and other tools show.
//!
//! The TOML head, the words behind fences and the blocks of labs are warpup's own; here they are headings, fences and folded parts.

use super::markup::{
    Markdown, escaped, fenced, is_outside, markdown_of_plain, markdown_of_text, with_code,
};
use super::options::{Keys, Outputs, device, on_paper, pass_rule, prediction};
use super::printed_question::{SheetPart, answer, hints, offered, quoted};
use std::fmt::Write as _;
use warpup_course::{Block, Course, LabId, Lesson, Page, Question, Quiz};

/// The Markdown of these lessons.
pub fn write(course: &Course, lessons: &[&Lesson], keys: Keys, outputs: &Outputs) -> String {
    let writer = Writer {
        lessons,
        keys,
        outputs,
    };
    if let [lesson] = lessons {
        return writer.lesson(lesson, 1);
    }
    let mut out = format!(
        "# {}\n\n{}\n\n",
        markdown_of_plain(&course.title),
        markdown_of_plain(&course.summary)
    );
    for (at, lesson) in lessons.iter().enumerate() {
        let title = of_head(&lesson.title);
        let _ = writeln!(out, "{}. [{title}](#{})", at + 1, lesson.id);
    }
    for lesson in lessons {
        let _ = write!(out, "\n{}", writer.lesson(lesson, 2));
    }
    out
}

/// What of lessons is written, and how.
pub(super) struct Writer<'a> {
    /// The lessons that are in the text.
    pub(super) lessons: &'a [&'a Lesson],
    pub(super) keys: Keys,
    pub(super) outputs: &'a Outputs,
}

impl Writer<'_> {
    /// A lesson under a heading of this level.
    fn lesson(&self, lesson: &Lesson, level: usize) -> String {
        let mut out = head(lesson, level);
        for page in &lesson.pages {
            let _ = write!(out, "\n{}", page_title(lesson, page, level + 1));
            let _ = writeln!(out, "{}", self.blocks(lesson, &page.blocks));
        }
        if let Some(quiz) = &lesson.quiz {
            let _ = write!(out, "\n{}", self.quiz(lesson, quiz, level + 1));
        }
        out
    }

    /// Blocks of a lesson.
    pub(super) fn blocks(&self, lesson: &Lesson, blocks: &[Block]) -> String {
        let lab = |id: &LabId| self.lab(lesson, id);
        let link = |to: &str| self.link(lesson, to);
        Markdown {
            lab: &lab,
            link: &link,
        }
        .blocks(blocks)
    }

    /// Where a link leads. One to a lesson that is not here leads to its file.
    fn link(&self, lesson: &Lesson, to: &str) -> String {
        if is_outside(to) {
            return to.to_owned();
        }
        let (file, page) = to.split_once('#').unwrap_or((to, ""));
        let here = if to.starts_with('#') {
            Some(&lesson)
        } else {
            self.lessons.iter().find(|it| it.name() == file)
        };
        match (here, page) {
            (Some(of), "") => format!("#{}", of.id),
            (Some(of), page) => format!("#{}", place(of, page)),
            (None, _) => to.to_owned(),
        }
    }

    fn lab(&self, lesson: &Lesson, id: &LabId) -> String {
        let Some(lab) = lesson.labs.iter().find(|it| it.id == *id) else {
            return String::new();
        };
        let mut out = self.before_lab(lesson, id);
        let _ = write!(
            out,
            "{}\n\nRun it: `warpup run {}/{id}`",
            fenced("python", &lab.starter),
            lesson.id
        );
        if let Some(output) = self.outputs.get(&(lesson.id.clone(), id.clone())) {
            let _ = write!(
                out,
                "\n\nIt prints ({}):\n\n{}",
                output.on,
                fenced("text", &output.whole())
            );
        }
        let after = self.after_lab(lesson, id);
        if !after.is_empty() {
            let _ = write!(out, "\n\n{after}");
        }
        out
    }

    /// What is above a lab's program: its title, its device and the prediction that it asks for.
    pub(super) fn before_lab(&self, lesson: &Lesson, id: &LabId) -> String {
        let Some(lab) = lesson.labs.iter().find(|it| it.id == *id) else {
            return String::new();
        };
        let title = markdown_of_plain(&lab.title);
        let device = escaped(&device(&lab.device));
        let mut out = format!("**Lab: {title}.** {device}\n\n");
        if let Some(question) = prediction(lesson, lab) {
            let _ = write!(
                out,
                "**Predict first.** {}\n\n",
                self.blocks(lesson, &question.prompt)
            );
            let choices = self.parts(lesson, &offered(&question.sheet(), letter));
            let _ = write!(out, "{choices}\n\n");
            if self.keys == Keys::Shown {
                let why = self.blocks(lesson, &question.explain);
                let _ = write!(out, "{}\n\n", folded("Explanation", &why));
            }
        }
        out
    }

    /// What is below it: hints, the same in Rust, and the solution.
    pub(super) fn after_lab(&self, lesson: &Lesson, id: &LabId) -> String {
        let Some(lab) = lesson.labs.iter().find(|it| it.id == *id) else {
            return String::new();
        };
        let mut parts: Vec<String> = Vec::new();
        for hint in &lab.hints {
            parts.push(folded("Hint", &self.blocks(lesson, hint)));
        }
        if let Some(rust) = &lab.rust {
            parts.push(folded("The same in candle (Rust)", &fenced("rust", rust)));
        }
        if let (Some(solution), Keys::Shown) = (lab.solution_program(), self.keys) {
            parts.push(folded("Solution", &fenced("python", solution)));
        }
        parts.join("\n\n")
    }

    /// The questions, each with its answer folded below it.
    pub(super) fn quiz(&self, lesson: &Lesson, quiz: &Quiz, level: usize) -> String {
        let mut out = format!(
            "{} Quiz: {}\n\n{} Take it: `warpup quiz {}`\n",
            "#".repeat(level),
            markdown_of_plain(&quiz.title),
            pass_rule(quiz),
            lesson.id
        );
        for (at, question) in on_paper(quiz).into_iter().enumerate() {
            let _ = write!(
                out,
                "\n**Question {}.** {}",
                at + 1,
                self.question(lesson, question)
            );
        }
        out
    }

    fn question(&self, lesson: &Lesson, question: &Question) -> String {
        let sheet = question.sheet();
        let mut parts = vec![question.prompt.clone()];
        parts.extend(offered(&sheet, letter));
        parts.extend(hints(question));
        let mut out = self.parts(lesson, &parts);
        let answer = answer(question, &sheet, quoted);
        if self.keys == Keys::Shown && !answer.is_empty() {
            let answer = folded("Answer", &self.parts(lesson, &answer));
            let _ = write!(out, "\n\n{answer}");
        }
        out.push('\n');
        out
    }

    fn parts(&self, lesson: &Lesson, parts: &[SheetPart]) -> String {
        let parts: Vec<_> = parts.iter().map(|it| self.blocks(lesson, it)).collect();
        parts.join("\n\n")
    }
}

/// What a choice is called.
fn letter(at: usize) -> String {
    let letter = u8::try_from(at).ok().and_then(|it| b'A'.checked_add(it));
    format!("{}: ", char::from(letter.unwrap_or(b'?')))
}

/// The title, the summary and the objectives.
pub(super) fn head(lesson: &Lesson, level: usize) -> String {
    let mut out = format!(
        "{}{} {}\n\n{}\n",
        anchor(lesson.id.as_str()),
        "#".repeat(level),
        of_head(&lesson.title),
        of_head(&lesson.summary)
    );
    if !lesson.objectives.is_empty() {
        out.push_str("\nAfterwards you can:\n\n");
        for objective in &lesson.objectives {
            let _ = writeln!(out, "- {}", of_head(objective));
        }
    }
    out
}

/// The heading of a page; that of the first is the lesson's.
pub(super) fn page_title(lesson: &Lesson, page: &Page, level: usize) -> String {
    let anchor = anchor(&place(lesson, page.id.as_str()));
    if page.title == lesson.title {
        return anchor;
    }
    format!("{anchor}{} {}\n\n", "#".repeat(level), of_head(&page.title))
}

fn folded(summary: &str, inside: &str) -> String {
    format!(
        "<details><summary>{}</summary>\n\n{}\n\n</details>",
        escaped(summary),
        inside.trim_end()
    )
}

/// The Markdown of a text of a lesson's head.
fn of_head(text: &str) -> String {
    markdown_of_text(&with_code(text))
}

/// The name of a page, which pages of other lessons may have, too.
fn place(lesson: &Lesson, page: &str) -> String {
    format!("{}--{page}", lesson.id)
}

/// A place that links lead to.
fn anchor(name: &str) -> String {
    format!("<a id=\"{}\"></a>\n\n", escaped(name))
}

#[cfg(test)]
mod tests;
