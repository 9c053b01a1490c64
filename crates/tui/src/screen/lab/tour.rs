//! What the tour sees of a lab.

use super::state::{Lab, Mode};
use crate::session::Pane;
use crate::tour::{LabState, TimelineRoom};

impl Lab {
    /// How far it is.
    pub(crate) fn tour_state(&self) -> LabState {
        let ended = self.runs.last.as_ref().filter(|it| it.run.report.is_some());
        let shows_timeline = self.pane == Pane::Timeline || self.is_beside(Pane::Timeline);
        let timeline = match (shows_timeline, self.is_stacked) {
            (false, _) => TimelineRoom::Hidden,
            (true, true) => TimelineRoom::BelowProgram,
            (true, false) => TimelineRoom::BesideProgram,
        };
        LabState {
            ended: ended.map(|it| (it.run.id, it.device.clone())),
            is_running: self.is_running(),
            device: self.device.clone(),
            is_choosing: matches!(self.mode, Mode::ChoosingDevice(_)),
            timeline,
        }
    }
}
