//! Programs that the check of a lab has to judge right, in `repairs/LESSON.md`: repairs in other forms, and programs that it has to
//! stop. `warpup check --run-labs` runs them all; learners see the right ones after the solution.

use super::course::{Course, Lesson};
use super::model::{Lab, OtherWay};
use crate::diagnostics::{Report, Rule};
use crate::markdown::{Info, TICK_BEHIND_FENCE, TICKS_OUT, is_of_block};
use crate::model::LabId;
use crate::sources::Sources;
use crate::toml_walk::FileOffsets;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use std::ops::Range;

/// What `stops` says of a program that has to end with an error.
const ERROR: &str = "error";

/// A program in the place of a starter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The lab, of the lesson of the file.
    pub lab: LabId,
    /// The way or the fault.
    pub title: String,
    /// The program.
    pub program: String,
    /// How it has to be judged.
    pub verdict: Judgement,
    /// Whether it is judged so on a card only.
    pub needs_card: bool,
    /// Its block in the file.
    pub span: Range<usize>,
}

/// What a check has to say of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It passes.
    Right,
    /// The check of this name does not hold, whatever the others do.
    Wrong {
        /// The name.
        check: String,
    },
    /// It ends with an error.
    Error,
}

/// The file with the repairs of a lesson, relative to the course. A translation has those of its original.
pub fn file_of(lesson: &Lesson) -> String {
    let name = lesson.file.rsplit('/').next().unwrap_or_default();
    format!("repairs/{name}")
}

/// The repairs of a course by lesson.
pub fn all<'a>(sources: &Sources, course: &'a Course) -> Vec<(&'a Lesson, Vec<Repair>)> {
    let read_one = |lesson: &'a Lesson| {
        let file = file_of(lesson);
        let text = sources.files.get(&file).map_or("", |it| it.as_ref());
        (lesson, read(text, &lesson.labs, &mut Report::new(&file)))
    };
    course.lessons.iter().map(read_one).collect()
}

/// Gives the labs of a lesson the right programs of its file.
pub(crate) fn give_other_ways(text: &str, labs: &mut [Lab], report: &mut Report) {
    for repair in read(text, labs, report) {
        let lab = labs.iter_mut().find(|it| it.id == repair.lab);
        if let (Some(lab), Judgement::Right) = (lab, repair.verdict) {
            lab.other_ways.push(OtherWay {
                title: repair.title,
                program: repair.program,
            });
        }
    }
}

/// The repairs in a file for these labs.
fn read(text: &str, labs: &[Lab], report: &mut Report) -> Vec<Repair> {
    let mut repairs = Vec::new();
    let mut open: Option<(Range<usize>, String)> = None;
    for (event, range) in Parser::new(text).into_offset_iter() {
        if event == Event::Start(Tag::Paragraph)
            && let Some(line) = text_of_fence(text, &range)
        {
            report
                .error(Rule::FenceForm, line, TICK_BEHIND_FENCE)
                .hint(TICKS_OUT);
            // What was meant to end this block begins one.
            break;
        }
        if let Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) = event {
            open = Some((range, String::new()));
        } else if let (Event::Text(code), Some((_, program))) = (&event, &mut open) {
            program.push_str(code);
        } else if event == Event::End(TagEnd::CodeBlock)
            && let Some((span, program)) = open.take()
        {
            repairs.extend(repair(text, span, program, labs, report));
        }
    }
    repairs
}

fn repair(
    text: &str,
    span: Range<usize>,
    program: String,
    labs: &[Lab],
    report: &mut Report,
) -> Option<Repair> {
    let words = info_of(text, &span);
    let info = Info::parse(text, &words, &FileOffsets::From(0), report);
    let (lab, is_right) = match (info.attribute("right"), info.attribute("wrong")) {
        (Some(lab), None) => (lab, true),
        (None, Some(lab)) => (lab, false),
        (None, None) | (Some(_), Some(_)) => {
            let message = "a program here is a right one of a lab or a wrong one";
            report
                .error(Rule::RepairForm, words, message)
                .hint("write `python right=LAB title=\"…\"` or `python wrong=LAB stops=\"…\" title=\"…\"`");
            return None;
        }
    };
    let (what, known) = if is_right {
        ("right", ["right", "title", "device"].as_slice())
    } else {
        ("wrong", ["wrong", "title", "device", "stops"].as_slice())
    };
    info.check_flags(&[], report);
    info.check_attributes(what, known, report);
    if !labs.iter().any(|it| it.id.as_str() == lab.value) {
        let message = format!("there is no lab `{}` in the lesson", lab.value);
        let labs = labs.iter().map(|it| it.id.as_str());
        report
            .error(Rule::UnknownLab, lab.span.clone(), message)
            .did_you_mean_or(
                lab.value,
                labs,
                "name a lab of the lesson with this file's name",
            );
        return None;
    }
    let title = info.attribute("title").map(|it| it.value.trim().to_owned());
    let Some(title) = title.filter(|it| !it.is_empty()) else {
        report
            .error(Rule::RepairForm, words, "this program has no title")
            .hint("write `title=\"…\"`: the way of a right program, the fault of a wrong one");
        return None;
    };
    let device = info.attribute("device");
    if let Some(other) = device.filter(|it| it.value != "cuda") {
        let message = format!("`device={}` means nothing here", other.value);
        report
            .error(Rule::RepairForm, other.span.clone(), message)
            .hint("leave it out, and the program is judged on the devices of its lab; or write `device=cuda`, for cards only");
        return None;
    }
    let verdict = match (is_right, info.attribute("stops")) {
        (true, _) => Judgement::Right,
        (false, Some(it)) if it.value == ERROR => Judgement::Error,
        (false, Some(it)) => Judgement::Wrong {
            check: it.value.to_owned(),
        },
        (false, None) => {
            report
                .error(Rule::RepairForm, words, "this wrong program names no check that stops it")
                .hint("write `stops=\"NAME\"`, with the name of the check that does not hold, or `stops=error`");
            return None;
        }
    };
    Some(Repair {
        lab: LabId::new(lab.value),
        title,
        program,
        verdict,
        needs_card: device.is_some(),
        span,
    })
}

/// The first line of a paragraph that was meant to begin a program.
fn text_of_fence(text: &str, paragraph: &Range<usize>) -> Option<Range<usize>> {
    let line = text.get(paragraph.clone())?.lines().next()?;
    let words = line.strip_prefix("```")?;
    let is_it = is_of_block(words) && words.contains('`');
    is_it.then(|| paragraph.start..paragraph.start + line.len())
}

/// The bytes of the words behind a fence.
fn info_of(text: &str, block: &Range<usize>) -> Range<usize> {
    let line = text.get(block.clone()).unwrap_or_default();
    let line = line.lines().next().unwrap_or_default();
    let start = line.len() - line.trim_start_matches(['`', '~', ' ']).len();
    block.start + start..block.start + line.len()
}
