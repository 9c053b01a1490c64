//! Traces of the learner's own: what was found, the timeline, curves, and tables; of several also what they are to each other. The
//! session keeps the traces.

mod comparison;
mod content;
mod curves;
mod findings;
mod lanes;
mod screen;
mod source;
mod tables;

use super::areas::Areas;
use super::behaviour::{Route, Step};
use super::finding_list;
use crate::keymap::{Motion, PageAction, Sideways};
use crate::scroll::Scroll;
use crate::session::{ReadTrace, ReadTraces, Session, TraceRelation};
use lanes::{DrawnTimeline, TimelinePart};
use ratatui::text::Line;
use source::SourceView;
use warpup_lab::timeline::{Window, Zoom};

/// The parts of the screen, in the order of the key that leads to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TracePane {
    /// What several traces are to each other.
    Together,
    Findings,
    Timeline,
    Curves,
    Tables,
}

impl TracePane {
    /// The parts for these traces.
    fn all(read: &ReadTraces) -> &'static [Self] {
        const ALL: [TracePane; 5] = [
            TracePane::Together,
            TracePane::Findings,
            TracePane::Timeline,
            TracePane::Curves,
            TracePane::Tables,
        ];
        match read.together {
            TraceRelation::Alone => ALL.split_first().map_or(&[], |it| it.1),
            TraceRelation::Compared(_) | TraceRelation::Ranks(_) => &ALL,
        }
    }

    fn name(self, read: &ReadTraces) -> &'static str {
        match (self, &read.together) {
            (Self::Together, TraceRelation::Ranks(_)) => "ranks",
            (Self::Together, TraceRelation::Alone | TraceRelation::Compared(_)) => "compared",
            (Self::Findings, _) => "found",
            (Self::Timeline, _) => "timeline",
            (Self::Curves, _) => "over time",
            (Self::Tables, _) => "tables",
        }
    }
}

/// The screen of traces.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    /// The part that is shown; the first if the learner has not chosen.
    part: Option<TracePane>,
    /// Which file the parts show that are about one.
    file: usize,
    /// The finding that the keys are at.
    at: usize,
    /// What of the timeline is visible.
    timeline: TimelinePart,
    drawn_timeline: DrawnTimeline,
    source: SourceView,
    /// Whether the source is above the parts where there is no room beside them.
    has_source_above: bool,
    /// Where everything is, while the source is shown.
    areas: Option<Areas>,
    /// What is said above the parts, beside the source.
    status: Vec<Line<'static>>,
    scroll: Scroll,
}

impl Trace {
    fn part(&self, read: &ReadTraces) -> TracePane {
        let first = TracePane::all(read).first().copied();
        self.part.or(first).unwrap_or(TracePane::Findings)
    }

    /// The part that so many keys later is shown.
    fn go(&mut self, steps: isize, session: &Session) {
        let Some(read) = session.traces.read() else {
            return;
        };
        let all = TracePane::all(read);
        let now = all.iter().position(|it| *it == self.part(read));
        let after = now.unwrap_or(0).checked_add_signed(steps);
        let last = all.len().saturating_sub(1);
        let after = after.map_or(last, |it| if it > last { 0 } else { it });
        self.part = all.get(after).copied();
        self.scroll.go_to_top();
    }

    /// The file that is shown.
    fn read<'a>(&self, session: &'a Session) -> Option<&'a ReadTrace> {
        session.traces.read()?.all.get(self.file)
    }

    fn shows(&self, part: TracePane, session: &Session) -> bool {
        let read = session.traces.read();
        read.is_some_and(|it| self.part(it) == part)
    }

    /// The file after this one, or before it, if there is one: of several traces the next, and of one its next source.
    fn file_after(&self, action: PageAction, session: &Session) -> Option<usize> {
        let read = session.traces.read()?;
        if self.part(read) == TracePane::Together {
            return None;
        }
        let (now, all) = match read.all.as_slice() {
            [only] if self.areas.is_some() => (self.source.file(), only.sources.len()),
            all => (self.file, all.len()),
        };
        let after = match action {
            PageAction::Next => now + 1,
            PageAction::Previous => now.checked_sub(1)?,
            PageAction::NextLab
            | PageAction::PreviousLab
            | PageAction::RunLab
            | PageAction::EditLab
            | PageAction::Fold
            | PageAction::Digit(_)
            | PageAction::OpenLink(_)
            | PageAction::Return => return None,
        };
        (after < all).then_some(after)
    }

    fn turn_to(&mut self, file: usize, session: &Session) {
        if session.traces.read().is_some_and(|it| it.all.len() == 1) {
            return self.source.turn_to(file);
        }
        self.file = file;
        (self.at, self.timeline) = (0, TimelinePart::default());
        self.scroll.go_to_top();
    }

    /// Moves the choice while there is a finding to choose, and else the window.
    fn move_by(&mut self, motion: Motion, session: &Session) {
        let found = self.read(session).map_or(0, |it| it.report.findings.len());
        let chosen = finding_list::moved(self.at, motion, found);
        match chosen.filter(|_| self.shows(TracePane::Findings, session)) {
            Some(at) => {
                self.at = at;
                self.scroll.show_row(at);
            }
            None => self.scroll.go(motion),
        }
    }

    /// The page of the course that explains the chosen finding.
    fn page(&self, session: &Session) -> Option<Route> {
        let findings = self.read(session).map(|it| &it.report.findings);
        finding_list::page_of(findings?.get(self.at), session)
    }

    /// Opens the page of the course that explains the finding.
    fn explain(&self, session: &Session) -> Step {
        self.page(session).map_or(Step::Stay, Step::Open)
    }

    fn zoom(&mut self, zoom: Zoom, session: &Session) {
        let Some(read) = self.read(session) else {
            return;
        };
        let whole = lanes::whole(read);
        self.timeline.window = Some(self.after(zoom, read)).filter(|it| *it != whole);
    }

    fn after(&self, zoom: Zoom, read: &ReadTrace) -> Window {
        let total = u64::try_from(read.analysis.span_ns).unwrap_or(0);
        let now = self.timeline.window.unwrap_or_else(|| lanes::whole(read));
        let after = now.after(zoom, total);
        let cursor_ns = self.timeline.cursor_ns;
        let is_visible = |at: &u64| (now.start_ns..now.end_ns).contains(at);
        match cursor_ns.filter(is_visible) {
            // What is at the cursor is what somebody looks at.
            Some(at) if zoom == Zoom::In => {
                let last = now.end_ns.saturating_sub(after.ns());
                let start_ns = at.saturating_sub(after.ns() / 2);
                let start_ns = start_ns.clamp(now.start_ns, last.max(now.start_ns));
                Window {
                    start_ns,
                    end_ns: start_ns + after.ns(),
                }
            }
            Some(_) | None => after,
        }
    }

    /// Moves the cursor in the timeline.
    fn move_cursor(&mut self, to: Sideways, session: &Session) {
        let Some(read) = self.read(session).filter(|it| it.trace.is_some()) else {
            return;
        };
        let moment = self.drawn_timeline.moment(read, self.timeline, to);
        self.timeline.cursor_ns = Some(moment);
    }

    /// Whether the timeline is on the screen.
    fn shows_timeline(&self, session: &Session) -> bool {
        let parts = [TracePane::Timeline, TracePane::Findings];
        parts.iter().any(|it| self.shows(*it, session)) || self.has_timeline_below()
    }

    /// Whether the timeline has room below the part that is shown.
    fn has_timeline_below(&self) -> bool {
        let below = self.areas.iter().flat_map(|it| &it.others);
        below.clone().any(|it| it.1.height > 0)
    }
}
