//! A lab on the page: its program, what it printed, hints and the solution.

use super::{PageWriter, anchor, heading};
use crate::markup::coloured;
use crate::options::{Keys, device, prediction};
use crate::printed_question::sheet;
use maud::{Markup, PreEscaped, html};
use warpup_course::{Block, LabId, Lesson, Question};

impl PageWriter<'_> {
    /// A lab under a heading of this level.
    pub(super) fn lab(&self, lesson: &Lesson, id: &LabId, level: u8) -> Markup {
        let Some(lab) = lesson.labs.iter().find(|it| it.id == *id) else {
            return Markup::default();
        };
        let blocks = |blocks: &[Block]| self.blocks(lesson, id.as_str(), level, blocks);
        let output = self.outputs.get(&(lesson.id.clone(), id.clone()));
        let solution = lab.solution_program();
        let solution = solution.filter(|_| self.keys == Keys::Shown);
        html! {
            section.lab id=(PreEscaped(anchor(lesson, &format!("lab-{id}")))) { "\n"
                (heading(level, &html! { "Lab: " (lab.title) }))
                p.soft {
                    (device(&lab.device)) " Run it: "
                    code { "warpup run " (lesson.id.as_str()) "/" (id.as_str()) }
                } "\n"
                @if let Some(question) = prediction(lesson, lab) {
                    (self.prediction(lesson, question, level))
                }
                (program("python", &lab.starter))
                @if let Some(output) = output {
                    figure { "\n"
                        figcaption { "It prints (" (output.on) "):" } "\n"
                        pre.output { (output.whole()) } "\n"
                    } "\n"
                }
                @for hint in &lab.hints { (folded("Hint", &blocks(hint))) }
                @if let Some(rust) = &lab.rust {
                    (folded("The same in candle (Rust)", &program("rust", rust)))
                }
                @if let Some(solution) = solution { (folded("Solution", &program("python", solution))) }
            } "\n"
        }
    }

    /// What is asked before a lab runs. What is right is for the run to say.
    fn prediction(&self, lesson: &Lesson, question: &Question, level: u8) -> Markup {
        let blocks = |blocks: &[Block]| self.blocks(lesson, question.id.as_str(), level, blocks);
        html! {
            div.prediction { "\n"
                p { strong { "Predict first." } } "\n"
                (blocks(&question.prompt))
                (PreEscaped(self.choices(lesson, &sheet(question))))
                @if self.keys == Keys::Shown {
                    (folded("Explanation", &blocks(&question.explain)))
                }
            } "\n"
        }
    }
}

fn program(language: &str, text: &str) -> Markup {
    html! { pre { code { (PreEscaped(coloured(language, text))) } } "\n" }
}

fn folded(summary: &str, inside: &Markup) -> Markup {
    html! {
        details { "\n"
            summary { (summary) } "\n"
            (inside)
        } "\n"
    }
}
