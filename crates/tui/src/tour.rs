//! The tour: a learner's first runs, with one sentence at a time above the lab.
//!
//! It takes no key and holds nothing up. It looks at what the learner has done in the lab, and its sentence says what to press
//! next. A learner who leaves the lab leaves the tour, too.

use super::keymap::{Action, Context, LabAction};
use super::screen::{Lab, Route, Start};
use super::session::Session;
use warpup_protocol::{DeviceName, RunId};

/// A tour that somebody takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tour {
    /// The newest run before it: only later ones count.
    before: Option<RunId>,
    step: TourStep,
    /// What is said above the lab.
    pub(crate) said: String,
}

/// What the learner does next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum TourStep {
    #[default]
    Open,
    Run,
    /// Opens the list of devices, and takes another one than this.
    Change(DeviceName),
    /// Runs the program on another device than this.
    RunAgain(DeviceName),
    LookAtTimeline,
    End,
}

/// How far a lab is, as the tour sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LabState {
    /// The newest run that has ended, and its device.
    pub(crate) ended: Option<(RunId, DeviceName)>,
    pub(crate) is_running: bool,
    /// The device of the next run.
    pub(crate) device: DeviceName,
    /// Whether the list of devices is open.
    pub(crate) is_choosing: bool,
    pub(crate) timeline: TimelineRoom,
}

/// Where the timeline of a lab is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimelineRoom {
    Hidden,
    /// In a pane that could have the rows of the program, too.
    BelowProgram,
    BesideProgram,
}

/// The lab of the tour: the first one of the course.
pub(super) fn route(session: &Session) -> Option<Route> {
    session.course.lessons.iter().find_map(|lesson| {
        let lab = lesson.outline().labs.first()?;
        Some(Route::Lab(lesson.id.clone(), lab.id.clone(), Start::Look))
    })
}

impl Tour {
    /// Goes on to the step that the lab has come to, and says what to do there.
    pub(super) fn follow(&mut self, lab: &Lab, session: &Session) {
        let state = lab.tour_state();
        if self.step == TourStep::Open {
            self.before = state.ended.as_ref().map(|it| it.0);
            self.step = TourStep::Run;
        }
        while let Some(next) = self.next(&state) {
            self.step = next;
        }
        self.said = self.sentence(&state, session);
    }

    /// The step after this one, if the learner has done what it asks for.
    fn next(&self, state: &LabState) -> Option<TourStep> {
        let ended = state.ended.clone().filter(|it| Some(it.0) > self.before);
        match &self.step {
            TourStep::Run => ended.map(|it| TourStep::Change(it.1)),
            TourStep::Change(first) => {
                (state.device != *first).then(|| TourStep::RunAgain(first.clone()))
            }
            TourStep::RunAgain(first) => {
                let is_other = ended.is_some_and(|it| it.1 != *first);
                is_other.then_some(TourStep::LookAtTimeline)
            }
            TourStep::LookAtTimeline => {
                (state.timeline != TimelineRoom::Hidden).then_some(TourStep::End)
            }
            TourStep::Open | TourStep::End => None,
        }
    }

    fn sentence(&self, state: &LabState, session: &Session) -> String {
        let key = |action| session.keys.name(Context::LAB, Action::Lab(action));
        let back = session.keys.name(Context::LAB, Action::Back);
        let on = session.machine.devices.title(&state.device);
        if state.is_running {
            return format!("It runs on {on}.");
        }
        match &self.step {
            TourStep::Open | TourStep::Run => {
                let run = key(LabAction::Run);
                format!("{run} runs this program on {on}. {back} ends the tour.")
            }
            TourStep::Change(_) if state.is_choosing => {
                "Go down to a modelled card, such as Tesla T4, and press Enter.".to_owned()
            }
            TourStep::Change(_) => {
                let devices = key(LabAction::Devices);
                format!("Each line has its time now. {devices} chooses another device.")
            }
            TourStep::RunAgain(_) => {
                let run = key(LabAction::Run);
                format!("{run} runs the same program on {on}.")
            }
            TourStep::LookAtTimeline => {
                let pane = key(LabAction::NextPane);
                format!("{pane} goes from pane to pane: press it until the timeline is there.")
            }
            TourStep::End => {
                let on = session.keys.name(Context::LAB, Action::Open);
                let whole = if state.timeline == TimelineRoom::BesideProgram {
                    String::new()
                } else {
                    format!("; {} shows the pane whole", key(LabAction::FullPane))
                };
                format!(
                    "Host and card took turns{whole}. That was the tour: {on} or {back} goes to the map."
                )
            }
        }
    }
}
