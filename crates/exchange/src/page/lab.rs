//! A lab on the page: its program, what it printed, hints and the solution.

use super::{Writer, anchor};
use crate::markup::escaped;
use crate::sheet::sheet;
use crate::shows::{Keys, device, prediction};
use std::fmt::Write as _;
use warpup_course::{LabId, Lesson, Question};

impl Writer<'_> {
    /// A lab under a heading of this level.
    pub(super) fn lab(&self, lesson: &Lesson, id: &LabId, level: u8) -> String {
        let Some(lab) = lesson.labs.iter().find(|it| it.id == *id) else {
            return String::new();
        };
        let name = anchor(lesson, &format!("lab-{id}"));
        let mut out = format!(
            "<section class=\"lab\" id=\"{name}\">\n<h{level}>Lab: {}</h{level}>\n<p class=\"soft\">{} Run it: <code>warpup run {}/{}</code></p>\n",
            escaped(&lab.title),
            escaped(&device(&lab.device)),
            escaped(lesson.id.as_str()),
            escaped(id.as_str()),
        );
        if let Some(prediction) = prediction(lesson, lab) {
            out.push_str(&self.prediction(lesson, prediction, level));
        }
        out.push_str(&program(&lab.starter));
        if let Some(output) = self.outputs.get(&(lesson.id.clone(), id.clone())) {
            let _ = write!(
                out,
                "<figure>\n<figcaption>It prints ({}):</figcaption>\n<pre class=\"output\">{}</pre>\n</figure>\n",
                escaped(&output.on),
                escaped(&output.whole())
            );
        }
        for hint in &lab.hints {
            let inside = self.with_html(lesson, id.as_str(), level, |it| it.blocks(hint));
            let _ = write!(
                out,
                "<details>\n<summary>Hint</summary>\n{inside}</details>\n"
            );
        }
        if let Some(rust) = &lab.rust {
            let _ = write!(
                out,
                "<details>\n<summary>The same in candle (Rust)</summary>\n{}</details>\n",
                program(rust)
            );
        }
        if let (Some(solution), Keys::Shown) = (lab.solution_program(), self.keys) {
            let _ = write!(
                out,
                "<details>\n<summary>Solution</summary>\n{}</details>\n",
                program(solution)
            );
        }
        out.push_str("</section>\n");
        out
    }

    /// What is asked before a lab runs. What is right is for the run to say.
    fn prediction(&self, lesson: &Lesson, question: &Question, level: u8) -> String {
        let sheet = sheet(question);
        let prompt = self.with_html(lesson, question.id.as_str(), level, |it| {
            it.blocks(&question.prompt)
        });
        let mut out =
            format!("<div class=\"prediction\">\n<p><strong>Predict first.</strong></p>\n{prompt}");
        out.push_str(&self.choices(lesson, &sheet));
        if self.keys == Keys::Shown {
            let why = self.with_html(lesson, question.id.as_str(), level, |it| {
                it.blocks(&question.explain)
            });
            let _ = write!(
                out,
                "<details>\n<summary>Explanation</summary>\n{why}</details>\n"
            );
        }
        out.push_str("</div>\n");
        out
    }
}

fn program(text: &str) -> String {
    format!("<pre><code>{}</code></pre>\n", escaped(text))
}
