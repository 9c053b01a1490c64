//! What a lab keeps for the session when the learner leaves it: its last runs, and what was looked at.
//!
//! The program itself is in the records. Only the labs that were left last keep whole runs, since a run may have printed a
//! mebibyte and made thousands of spans.

use super::Receipt;
use warpup_course::{LabId, LessonId};
use warpup_lab::findings::Finding;
use warpup_lab::own_program::OwnProgram;
use warpup_lab::past_runs::PastRuns;
use warpup_lab::run::Run;
use warpup_protocol::DeviceName;

/// How many labs keep whole runs.
const WITH_RUNS: usize = 8;

/// The labs that were left in this session, the last one at the end.
#[derive(Debug, Default)]
pub(crate) struct KeptLabs(Vec<((LessonId, LabId), KeptLab)>);

/// A lab that was left.
#[derive(Debug, Default)]
pub(crate) struct KeptLab {
    pub(crate) runs: Runs,
    pub(crate) view: LabView,
}

/// The learner's own program that the app was opened with.
#[derive(Debug)]
pub(crate) struct OpenedProgram {
    /// What is in its file.
    pub(crate) program: OwnProgram,
    /// What the diff compares it with.
    pub(crate) began_with: String,
    /// What its screen knew to be in the file when it was left.
    pub(crate) saved_text: Option<String>,
    /// The device of its next run.
    pub(crate) device: DeviceName,
    /// What its screen has kept, while another one is open.
    pub(crate) left: KeptLab,
}

/// The runs of a lab.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs {
    pub(crate) last: Option<LastRun>,
    /// The one before, if it came so far that its lines have times.
    pub(crate) before: Option<LastRun>,
    /// All of this session, in a few words each.
    pub(crate) past: PastRuns,
}

/// A run, and the program that it ran.
#[derive(Clone, Debug)]
pub(crate) struct LastRun {
    pub(crate) run: Run,
    pub(crate) source: String,
    /// The device that it was for, whether or not it began there.
    pub(crate) device: DeviceName,
    /// How long it has run; nothing before the worker began with it.
    pub(crate) clock: Option<RunClock>,
    /// What was found in the program, once the run has ended.
    pub(crate) found: Vec<Finding>,
    /// Its record, once it has one.
    pub(crate) receipt: Receipt,
    /// Whether it was asked to stop.
    pub(crate) is_cancelled: bool,
}

/// How long a run has gone on, as the last tick had it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunClock {
    began_ms: u64,
    pub(crate) seconds: u64,
}

impl RunClock {
    pub(crate) fn begin(now_ms: u64) -> Self {
        Self {
            began_ms: now_ms,
            seconds: 0,
        }
    }

    /// The time has come this far.
    pub(crate) fn tick(&mut self, now_ms: u64) {
        self.seconds = now_ms.saturating_sub(self.began_ms) / 1000;
    }

    /// When the next second is over.
    pub(crate) fn next_ms(self) -> u64 {
        self.began_ms.saturating_add(1000 * (self.seconds + 1))
    }
}

/// What was on screen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LabView {
    pub(crate) pane: Pane,
    pub(crate) help: Help,
    /// The first visible line of the pane.
    pub(crate) pane_top: usize,
    /// The first visible line of the program.
    pub(crate) program_top: usize,
    /// The chosen line of the program, from 1.
    pub(crate) line: u32,
}

/// Help that was asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Help {
    pub(crate) hints: usize,
    /// Which program that passes is shown: 0 for the solution, then the other ways.
    pub(crate) solution: Option<usize>,
}

/// The panes of a lab, in the order of their tabs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pane {
    #[default]
    Task,
    Output,
    Checks,
    Plot,
    Timeline,
    Findings,
    Memory,
    Runs,
    Hints,
    Candle,
    /// The program against the starter.
    Diff,
}

impl KeptLabs {
    /// Takes out what a lab has kept.
    pub(crate) fn take(&mut self, lesson: &LessonId, lab: &LabId) -> Option<KeptLab> {
        let at = self
            .0
            .iter()
            .position(|(it, _)| (&it.0, &it.1) == (lesson, lab))?;
        Some(self.0.remove(at).1)
    }

    /// Keeps what a lab leaves.
    pub(crate) fn keep(&mut self, lesson: LessonId, lab: LabId, left: KeptLab) {
        self.take(&lesson, &lab);
        self.0.push(((lesson, lab), left));
        let old = self.0.len().saturating_sub(WITH_RUNS);
        for (_, it) in self.0.iter_mut().take(old) {
            (it.runs.last, it.runs.before) = (None, None);
        }
    }
}

impl Runs {
    pub(crate) fn is_running(&self) -> bool {
        self.last.as_ref().is_some_and(|it| it.run.report.is_none())
    }

    /// A run begins, or the program is another one: the last run becomes the one before, unless it says less than that one, since
    /// the program did not come to its end.
    pub(crate) fn retire(&mut self) {
        let Some(last) = self.last.take().filter(LastRun::has_times) else {
            return;
        };
        if self.before.is_none() || last.run.raised().is_none() {
            self.before = Some(last);
        }
    }

    /// What of them can be kept: a run that is left does not go on.
    pub(crate) fn without_running(mut self) -> Self {
        if self.is_running() {
            self.last = self.before.take();
        }
        self
    }
}

impl LastRun {
    /// Whether its lines have times.
    fn has_times(&self) -> bool {
        let report = self.run.report.as_ref();
        report.is_some_and(|it| !it.lines.is_empty())
    }
}

impl Pane {
    pub(crate) const ALL: [Self; 11] = [
        Self::Task,
        Self::Output,
        Self::Checks,
        Self::Plot,
        Self::Timeline,
        Self::Findings,
        Self::Memory,
        Self::Runs,
        Self::Hints,
        Self::Candle,
        Self::Diff,
    ];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Output => "output",
            Self::Checks => "checks",
            Self::Timeline => "timeline",
            Self::Findings => "findings",
            Self::Runs => "runs",
            Self::Memory => "memory",
            Self::Plot => "plot",
            Self::Hints => "hints",
            Self::Candle => "in Rust",
            Self::Diff => "diff",
        }
    }

    /// What it shows, and when it is there, for the help.
    pub(crate) fn help(self) -> &'static str {
        match self {
            Self::Task => "what to do, and what is checked",
            Self::Output => "what the last run printed, and its error",
            Self::Checks => "what was checked, and the prediction beside the run",
            Self::Timeline => "what host and device did when, after a run",
            Self::Findings => {
                "what costs time in the program, where, and what to try; after a run in which something was found"
            }
            Self::Runs => "the last two runs side by side; from the second run on",
            Self::Memory => "what held memory, after a run whose tensors held some",
            Self::Plot => "what the program has drawn, after a run that drew",
            Self::Hints => "the hints, the solution and other ways of a lab",
            Self::Candle => "the same program in Rust, in a lab that has it",
            Self::Diff => {
                "your program against the starter, once it differs; v or F5 shows it at any time"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::{Report, RunId};

    fn left() -> KeptLab {
        let mut run = Run::new(RunId(1));
        run.report = Some(Report::broken(""));
        let mut past = PastRuns::default();
        past.add(&run, &warpup_course::DeviceWish::Any, &DeviceName::Cpu);
        let last = LastRun {
            run,
            source: String::new(),
            device: DeviceName::Cpu,
            clock: None,
            found: Vec::new(),
            receipt: Receipt::default(),
            is_cancelled: false,
        };
        KeptLab {
            runs: Runs {
                last: Some(last),
                before: None,
                past,
            },
            view: LabView::default(),
        }
    }

    #[test]
    fn labs_left_long_ago_keep_no_whole_runs() {
        let mut kept = KeptLabs::default();
        let lab = |at: usize| (LessonId::new("a"), LabId::new(at.to_string()));
        for at in 0..10 {
            let (lesson, lab) = lab(at);
            kept.keep(lesson, lab, left());
        }
        let mut taken = |at| {
            let (lesson, lab) = lab(at);
            let runs = kept.take(&lesson, &lab).unwrap().runs;
            (runs.last.is_some(), runs.past.count())
        };
        assert_eq!(
            [taken(1), taken(2), taken(9)],
            [(false, 1), (true, 1), (true, 1)]
        );
    }
}
