//! The handoff checklist: what a learner's own runs and words show, and what is still missing.
//!
//! Pure. It goes by the names of metrics, never by those of lessons, so that it holds for any course whose labs give
//! them. What no lab of the course could give is not asked for.

use crate::course::{Course, Lab, LabId, Lesson, LessonId, plain};
use crate::doctor::{Report, RungId, Verdict};
use crate::lab::units::mib;
use crate::progress::{Clock, Progress, RanOn, RunRecord};
use serde::Serialize;

/// The metric of a time that was taken after a synchronize.
const SYNCHRONIZED: &str = "synchronized_ms";
/// The metric of the same without one.
const UNSYNCHRONIZED: &str = "unsynchronized_ms";
/// The metrics of what training holds, and what they are called.
const TERMS: [(&str, &str); 4] = [
    ("weights_mib", "weights"),
    ("gradients_mib", "gradients"),
    ("optimizer_mib", "optimizer state"),
    ("activations_mib", "activations"),
];

/// Everything on it. The keys are promised: scripts hang on them.
#[derive(Serialize)]
pub(super) struct Checklist<'a> {
    pub(super) course: &'a str,
    #[serde(skip)]
    pub(super) title: &'a str,
    pub(super) complete: bool,
    pub(super) devices: Vec<Used<'a>>,
    pub(super) machine: Machine,
    pub(super) measurement: Option<Measurement<'a>>,
    pub(super) memory: Option<Memory<'a>>,
    pub(super) explanations: Vec<Explained<'a>>,
    pub(super) missing: Vec<Missing>,
}

/// A device that labs ran on.
#[derive(Serialize)]
pub(super) struct Used<'a> {
    pub(super) device: &'a str,
    pub(super) title: Option<&'a str>,
    /// Where its times come from; unknown of runs that were noted by older versions.
    pub(super) clock: Option<Clock>,
    /// How many labs ran on it last.
    pub(super) labs: usize,
    pub(super) at_ms: u64,
}

/// What the doctor finds without touching a card.
#[derive(Serialize)]
pub(super) struct Machine {
    pub(super) verdict: Verdict,
    pub(super) says: String,
    pub(super) next_step: Option<String>,
}

/// Which run a number is from.
#[derive(Serialize)]
pub(super) struct From<'a> {
    pub(super) lesson: &'a LessonId,
    pub(super) lab: &'a LabId,
    pub(super) device: &'a str,
    pub(super) title: Option<&'a str>,
    pub(super) clock: Option<Clock>,
    pub(super) at_ms: u64,
}

/// A time with a synchronize, and one without if the run gave it.
#[derive(Serialize)]
pub(super) struct Measurement<'a> {
    #[serde(flatten)]
    pub(super) from: From<'a>,
    pub(super) synchronized_ms: f64,
    pub(super) unsynchronized_ms: Option<f64>,
}

/// What training holds, against what the card has.
#[derive(Serialize)]
pub(super) struct Memory<'a> {
    #[serde(flatten)]
    pub(super) from: From<'a>,
    pub(super) terms: Vec<Term>,
    pub(super) sum_mib: f64,
    pub(super) card_mib: Option<f64>,
}

/// One of the things that training holds.
#[derive(Serialize)]
pub(super) struct Term {
    pub(super) metric: &'static str,
    pub(super) name: &'static str,
    pub(super) mib: f64,
}

/// An explanation in the learner's own words.
#[derive(Serialize)]
pub(super) struct Explained<'a> {
    pub(super) lesson: &'a LessonId,
    pub(super) question: &'a str,
    pub(super) prompt: String,
    pub(super) text: &'a str,
    pub(super) parts: Vec<Part>,
    pub(super) at_ms: u64,
}

/// A part of a good explanation.
#[derive(Serialize)]
pub(super) struct Part {
    pub(super) part: String,
    /// Whether the learner says that their words say it.
    pub(super) said: bool,
}

/// The things on the checklist.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Item {
    Device,
    Measurement,
    Memory,
    Explanations,
}

/// What is missing, and the command that gives it.
#[derive(Serialize)]
pub(super) struct Missing {
    pub(super) item: Item,
    pub(super) what: String,
    pub(super) todo: String,
}

/// Fills the checklist in.
pub(super) fn of<'a>(course: &'a Course, progress: &'a Progress, report: &Report) -> Checklist<'a> {
    let devices = devices(course, progress);
    let measurement = measurement(course, progress);
    let memory = memory(course, progress);
    let explanations = explanations(course, progress);
    let mut missing = Vec::new();
    let any_lab = course
        .lessons
        .iter()
        .find_map(|it| Some((it, it.labs.first()?)));
    if let (true, Some((lesson, lab))) = (devices.is_empty(), any_lab) {
        missing.push(run(Item::Device, "no lab was run yet", lesson, lab));
    }
    if let (None, Some((lesson, lab))) = (&measurement, giver(course, &[SYNCHRONIZED])) {
        missing.push(run(
            Item::Measurement,
            "no run has measured with a synchronize",
            lesson,
            lab,
        ));
    }
    let terms = TERMS.map(|it| it.0);
    if let (None, Some((lesson, lab))) = (&memory, giver(course, &terms)) {
        missing.push(run(
            Item::Memory,
            "no run has told what training holds",
            lesson,
            lab,
        ));
    }
    missing.extend(
        course
            .lessons
            .iter()
            .filter_map(|it| unexplained(it, progress)),
    );
    Checklist {
        course: course.id.as_str(),
        title: &course.title,
        complete: missing.is_empty(),
        devices,
        machine: Machine::of(report),
        measurement,
        memory,
        explanations,
        missing,
    }
}

fn run(item: Item, what: &str, lesson: &Lesson, lab: &Lab) -> Missing {
    // The command alone fails: its program is one to be repaired. It is a run all the same.
    let repair = if item != Item::Device && lab.solution.is_some() {
        " (the lab that does is to be repaired first)"
    } else {
        ""
    };
    Missing {
        item,
        what: format!("{what}{repair}"),
        todo: format!("warpup run {}/{}", lesson.id, lab.id),
    }
}

/// The last lab of the course whose text gives all of these metrics: what a course ends with is the place for it.
fn giver<'a>(course: &'a Course, metrics: &[&str]) -> Option<(&'a Lesson, &'a Lab)> {
    let mut labs = course
        .lessons
        .iter()
        .flat_map(|lesson| lesson.labs.iter().map(move |lab| (lesson, lab)));
    labs.rfind(|(_, lab)| metrics.iter().all(|it| lab.gives(it)))
}

fn unexplained(lesson: &Lesson, progress: &Progress) -> Option<Missing> {
    let quiz = lesson.quiz.as_ref()?;
    let (done, all) = progress.lesson(&lesson.id).explained(quiz);
    (done < all).then(|| Missing {
        item: Item::Explanations,
        what: format!(
            "{done} of {all} explained in your own words in \"{}\"",
            lesson.title
        ),
        todo: format!("warpup quiz {} --words", lesson.id),
    })
}

/// The newest run of each lab, of any lesson.
fn newest<'a>(course: &'a Course, progress: &'a Progress) -> impl Iterator<Item = &'a RunRecord> {
    let lessons = course.lessons.iter().map(|it| progress.lesson(&it.id));
    lessons
        .flat_map(|it| it.labs.values())
        .filter_map(|it| it.newest.as_ref())
}

/// What the newest runs ran on, the device that was used last first.
fn devices<'a>(course: &'a Course, progress: &'a Progress) -> Vec<Used<'a>> {
    let mut devices: Vec<Used<'a>> = Vec::new();
    let mut runs: Vec<_> = newest(course, progress).collect();
    runs.sort_by_key(|it| std::cmp::Reverse(it.at_ms));
    for run in runs {
        match devices.iter_mut().find(|it| it.device == run.device) {
            Some(known) => known.labs += 1,
            None => devices.push(Used {
                device: &run.device,
                title: run.on.as_ref().map(|it| it.title.as_str()),
                clock: run.on.as_ref().map(|it| it.clock),
                labs: 1,
                at_ms: run.at_ms,
            }),
        }
    }
    devices
}

/// The newest passed run that gave all of these metrics, and their values.
fn newest_with<'a, const N: usize>(
    course: &'a Course,
    progress: &'a Progress,
    metrics: [&str; N],
) -> Option<(From<'a>, &'a RunRecord, [f64; N])> {
    let lessons = course
        .lessons
        .iter()
        .map(|it| (&it.id, progress.lesson(&it.id)));
    let labs =
        lessons.flat_map(|(lesson, it)| it.labs.iter().map(move |(lab, it)| (lesson, lab, it)));
    let runs =
        labs.flat_map(|(lesson, lab, it)| it.figures.iter().map(move |run| (lesson, lab, run)));
    let given = runs.filter_map(|(lesson, lab, run)| {
        let mut values = [0.0; N];
        for (value, name) in values.iter_mut().zip(metrics) {
            *value = run.metric(name)?;
        }
        Some((lesson, lab, run, values))
    });
    let (lesson, lab, run, values) = given.max_by_key(|(_, _, run, _)| run.at_ms)?;
    let on = run.on.as_ref();
    let from = From {
        lesson,
        lab,
        device: &run.device,
        title: on.map(|it| it.title.as_str()),
        clock: on.map(|it| it.clock),
        at_ms: run.at_ms,
    };
    Some((from, run, values))
}

fn measurement<'a>(course: &'a Course, progress: &'a Progress) -> Option<Measurement<'a>> {
    let (from, run, [synchronized_ms]) = newest_with(course, progress, [SYNCHRONIZED])?;
    Some(Measurement {
        from,
        synchronized_ms,
        unsynchronized_ms: run.metric(UNSYNCHRONIZED),
    })
}

fn memory<'a>(course: &'a Course, progress: &'a Progress) -> Option<Memory<'a>> {
    let (from, run, values) = newest_with(course, progress, TERMS.map(|it| it.0))?;
    let terms = TERMS.iter().zip(values);
    let bytes = run.on.as_ref().and_then(|it: &RanOn| it.memory_bytes);
    Some(Memory {
        from,
        terms: terms
            .map(|(&(metric, name), mib)| Term { metric, name, mib })
            .collect(),
        sum_mib: values.iter().sum(),
        card_mib: bytes.map(mib),
    })
}

fn explanations<'a>(course: &'a Course, progress: &'a Progress) -> Vec<Explained<'a>> {
    let mut explanations = Vec::new();
    for lesson in &course.lessons {
        let known = progress.lesson(&lesson.id);
        for (question, parts) in lesson
            .quiz
            .iter()
            .flat_map(crate::course::Quiz::in_own_words)
        {
            let Some(words) = known.explanation(question) else {
                continue;
            };
            let parts = parts.iter().enumerate().map(|(at, part)| Part {
                part: part.plain(),
                said: words.said.contains(&at),
            });
            let prompt = plain::blocks(&question.prompt, 1000);
            explanations.push(Explained {
                lesson: &lesson.id,
                question: question.id.as_str(),
                prompt: prompt
                    .as_str()
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
                text: &words.text,
                parts: parts.collect(),
                at_ms: words.at_ms,
            });
        }
    }
    explanations
}

impl Machine {
    fn of(report: &Report) -> Self {
        let verdict = report.verdict();
        let says = match verdict {
            Verdict::Broken | Verdict::WithoutCard | Verdict::Ready => report.summary(),
            // The card was left alone, so what is known of it is what the system and its driver say.
            Verdict::Looking => {
                let rungs = [RungId::Card, RungId::Driver].map(|it| report.rung(it));
                let says = rungs.into_iter().flatten().map(|it| it.says.as_str());
                let says: Vec<_> = says.collect();
                format!(
                    "{} The card itself was left alone; `warpup doctor` tries it.",
                    says.join(" ")
                )
            }
        };
        Self {
            verdict,
            says,
            next_step: report.next_step().map(str::to_owned),
        }
    }
}
