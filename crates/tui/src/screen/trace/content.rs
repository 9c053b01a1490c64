//! What is on the screen of a trace: the shown part, what is said above it, and the source beside it.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Trace, TracePane, comparison, curves, findings, lanes, tables};
use crate::frame;
use crate::page;
use crate::screen::areas::{self, FullSize, Share, Side};
use crate::scroll::VisibleLines;
use crate::session::{ReadTrace, ReadTraces, Session, TraceState};
use crate::theme::Role;
use warpup_kineto::findings::headline;

/// Columns of running text, which is hard to read in longer lines.
const PROSE: usize = 100;

impl Trace {
    pub(super) fn lines(&self, session: &Session, width: usize) -> VisibleLines {
        let theme = session.theme;
        let read = match &session.traces {
            TraceState::None => return VisibleLines::default(),
            TraceState::Reading { file, percent } => {
                let percent = percent.map_or_else(String::new, |it| format!(": {it} %"));
                let said = format!("Reading {file}{percent} …");
                return of(page::paragraph(&said, theme.style(Role::Dim), width));
            }
            TraceState::Failed { why, hint } => {
                let said = format!("The trace cannot be read: {why}.");
                let mut lines = page::paragraph(&said, theme.style(Role::Bad), width);
                if let Some(hint) = hint {
                    let hint = format!("Hint: {hint}.");
                    lines.extend(page::paragraph(&hint, theme.style(Role::Text), width));
                }
                return of(lines);
            }
            TraceState::Read(read) => read,
        };
        let tabs = page::paragraph(&self.tabs(read), theme.style(Role::Key), width);
        let Some(shown) = read.all.get(self.file) else {
            return of(tabs);
        };
        let drawn = self.of_part(read, shown, session, width);
        if self.areas.is_some() {
            return drawn;
        }
        let mut head = tabs;
        head.extend(self.head(read, session, width));
        head.push(Line::default());
        drawn.below(head)
    }

    /// What the shown part has.
    fn of_part(
        &self,
        read: &ReadTraces,
        shown: &ReadTrace,
        session: &Session,
        width: usize,
    ) -> VisibleLines {
        let theme = session.theme;
        let picture = &self.drawn_timeline.lines;
        match self.part(read) {
            TracePane::Together => of(comparison::lines(read, theme, width)),
            TracePane::Findings => {
                let mut drawn = findings::lines(shown, self.at, session, width.min(PROSE));
                if !self.has_timeline_below() {
                    drawn.lines.push(Line::default());
                    drawn.lines.extend_from_slice(picture);
                }
                drawn
            }
            TracePane::Timeline => of(lanes::lines(shown, picture, theme, width)),
            TracePane::Curves => of(curves::lines(&shown.analysis, theme, width)),
            TracePane::Tables => of(tables::lines(&shown.analysis, theme, width)),
        }
    }

    /// What is said of the trace above its parts.
    fn head(&self, read: &ReadTraces, session: &Session, width: usize) -> Vec<Line<'static>> {
        let theme = session.theme;
        let mut head = self.about(read, session, width);
        let shown = self
            .read(session)
            .filter(|_| self.part(read) != TracePane::Together);
        if let Some(shown) = shown {
            let said = headline(&shown.analysis);
            head.extend(page::clauses(&said, theme.style(Role::Strong), width));
        }
        head
    }

    /// Divides the screen where the source has room: as in a lab it is beside the parts, or above them where somebody wants it.
    pub(super) fn lay_out(&mut self, session: &Session, body: Rect) {
        (self.areas, self.status) = (None, Vec::new());
        let Some(read) = session.traces.read() else {
            return;
        };
        let Some(shown) = read.all.get(self.file) else {
            return;
        };
        let theme = session.theme;
        let full = frame::full_width(body).width;
        let part = self.part(read);
        let has_source = !shown.sources.is_empty() && part != TracePane::Together;
        self.source.choose(shown, (self.file, self.at), full, theme);
        let beside = areas::pane_beside(body, self.source.columns).filter(|_| has_source);
        let width = usize::from(beside.unwrap_or(full));
        self.drawn_timeline
            .draw((self.file, shown), self.timeline, theme, width);
        if !self.can_have_source(session) || (beside.is_none() && !self.has_source_above) {
            return;
        }
        self.status = self.head(read, session, width);
        if let Some(note) = &self.source.note {
            self.status.extend(page::paragraph(
                note,
                theme.style(Role::Warn),
                beside.unwrap_or(full),
            ));
        }
        let below = beside.filter(|_| part != TracePane::Timeline);
        let below = below.map(|_| (Side::BelowPane, self.drawn_timeline.height));
        let wanted = FullSize {
            program: self.source.len(),
            columns: self.source.columns,
            result: u16::try_from(self.status.len()).unwrap_or(u16::MAX),
            // What is in it moves nothing.
            pane: usize::from(u16::MAX),
            others: below.into_iter().collect(),
        };
        let areas = areas::areas(body, Share::Even, &wanted);
        self.source.fit(areas.program.height);
        self.areas = Some(areas);
    }

    /// Whether there is a source to show beside what is shown.
    pub(super) fn can_have_source(&self, session: &Session) -> bool {
        let has = self.read(session).is_some_and(|it| !it.sources.is_empty());
        has && !self.shows(TracePane::Together, session)
    }

    /// Which file is shown, where there are several, and that nothing was measured where a script computed it.
    fn about(&self, read: &ReadTraces, session: &Session, width: usize) -> Vec<Line<'static>> {
        let theme = session.theme;
        let mut lines = Vec::new();
        let is_together = self.part(read) == TracePane::Together;
        let shown = self.read(session).filter(|_| !is_together);
        if let (Some(shown), 2..) = (shown, read.all.len()) {
            let (number, of) = (self.file + 1, read.all.len());
            let said = format!("File {number} of {of}: {}", shown.analysis.file);
            lines.extend(page::paragraph(&said, theme.style(Role::Strong), width));
        }
        let mut about = read.all.iter().filter(|it| it.analysis.about.is_synthetic);
        let is_synthetic = shown.map_or_else(
            || about.next().is_some(),
            |it| it.analysis.about.is_synthetic,
        );
        if is_synthetic {
            let said = "This trace is synthetic: computed by a script, not measured.";
            lines.extend(page::paragraph(said, theme.style(Role::Warn), width));
        }
        lines
    }

    pub(super) fn tabs(&self, read: &ReadTraces) -> String {
        let tabs = TracePane::all(read).iter().map(|it| {
            if *it == self.part(read) {
                format!("[{}]", it.name(read))
            } else {
                format!(" {} ", it.name(read))
            }
        });
        tabs.collect::<Vec<_>>().join(" ")
    }
}

fn of(lines: Vec<Line<'static>>) -> VisibleLines {
    VisibleLines {
        lines,
        ..VisibleLines::default()
    }
}
