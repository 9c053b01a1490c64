//! The state of a lab: the program, its last run, and what is on screen.

use std::rc::Rc;

use ratatui::text::Line;

use super::diff;
use super::origin::ProgramOrigin;
use super::prediction_form::PredictionForm;
use super::shares::{OtherPane, OthersKey};
use crate::editor::{Clocks, Editor, Follow, Gutter};
use crate::screen::behaviour::Start;
use crate::scroll::Scroll;
use crate::session::{Help, KeptLab, LabView, LastRun, Pane, Runs, Session, UpdateContext};
use crate::theme::{Role, Theme};
use warpup_course::{self as course, LabId, Lesson, LessonId};
use warpup_lab::line_diff::unchanged;
use warpup_lab::timeline::Window;
use warpup_progress::Event;
use warpup_protocol::DeviceName;

/// From this many columns of the screen on, the gutter says how long each line waited.
const WITH_WAITS: u16 = 100;

/// From this many columns on, the gutter keeps its columns where it has no times.
const KEEPS_COLUMNS: u16 = 60;

/// A lab that is open.
#[derive(Debug)]
pub(crate) struct Lab {
    pub(super) lesson: Rc<Lesson>,
    pub(super) origin: ProgramOrigin,
    /// The lab as the lesson defines it.
    pub(super) definition: course::Lab,
    pub(super) editor: Editor,
    /// What is beside the program, as it was laid out last.
    pub(super) gutter: Gutter,
    /// The starter, as the editor has it.
    pub(super) starter: String,
    /// The program as it is in the records.
    pub(super) saved_text: String,
    /// When the first letter was typed that is not in the records.
    pub(super) typed_since: Option<u64>,
    pub(super) device: DeviceName,
    pub(super) mode: Mode,
    pub(super) runs: Runs,
    pub(super) pane: Pane,
    pub(super) scroll: Scroll,
    /// The chosen finding.
    pub(super) finding: usize,
    /// Columns of the program's longest line, as it was before it was edited.
    pub(super) columns: usize,
    /// Rows of the result as it was laid out last.
    pub(super) result: u16,
    /// The panes that are visible besides the chosen one.
    pub(super) others: Vec<OtherPane>,
    /// What they are drawn from; nothing where there are none.
    pub(super) others_of: Option<OthersKey>,
    /// The part of the run that the timeline shows; all of it at first.
    pub(super) window: Option<Window>,
    /// What is to be visible after the next layout, where the lab was open before.
    pub(super) view_again: Option<LabView>,
    /// Whether the pane has the rows of the program, where it is not beside it.
    pub(super) is_full: bool,
    /// Whether the pane is below the program, and not beside it.
    pub(super) is_stacked: bool,
    /// Whether the pane scrolls to its end as it grows.
    pub(super) follows_end: bool,
    pub(super) help: Help,
    /// What is said in place of the result until the next key, such as why the learner's own editor wrote nothing.
    pub(super) notice: Option<(String, Role)>,
}

/// What the learner is doing.
#[derive(Debug)]
pub(super) enum Mode {
    Reading,
    Editing,
    Predicting(Box<PredictionForm>),
    ChoosingDevice(DeviceList),
}

/// The list of devices, while it is open.
#[derive(Debug)]
pub(super) struct DeviceList {
    /// The marked row.
    pub(super) at: usize,
    /// The prediction that goes on afterwards.
    pub(super) asked: Option<Box<PredictionForm>>,
}

impl Lab {
    /// Opens a lab with the learner's program, or the starter.
    pub(crate) fn open(
        lesson: &LessonId,
        lab: &LabId,
        start: Start,
        ctx: &mut UpdateContext<'_>,
    ) -> Option<Self> {
        let lesson = Rc::clone(ctx.session.lesson(lesson)?);
        let lab = lesson.labs.iter().find(|it| &it.id == lab)?.clone();
        let known = ctx.session.learner.progress.lesson(&lesson.id).lab(&lab.id);
        let editor = Editor::new(known.source.as_deref().unwrap_or(&lab.starter));
        let kept = ctx.session.labs.kept.take(&lesson.id, &lab.id);
        let device = ctx.session.machine.devices.choice.device(&lab.device);
        let mut opened = Self::new(lesson, lab, (editor, device), kept);
        match start {
            Start::Look => {}
            Start::Edit => opened.mode = Mode::Editing,
            Start::Run => opened.run(ctx),
        }
        Some(opened)
    }

    /// A lab with this program on this device, as it was left.
    pub(super) fn new(
        lesson: Rc<Lesson>,
        definition: course::Lab,
        (mut editor, device): (Editor, DeviceName),
        kept: Option<KeptLab>,
    ) -> Self {
        let view_again = kept.as_ref().map(|it| it.view);
        let kept = kept.unwrap_or_default();
        editor.go_to_line(kept.view.line);
        Self {
            device,
            saved_text: editor.text(),
            typed_since: None,
            editor,
            gutter: Gutter::default(),
            starter: Editor::new(&definition.starter).text(),
            origin: ProgramOrigin::Lesson,
            lesson,
            definition,
            mode: Mode::Reading,
            runs: kept.runs,
            pane: kept.view.pane,
            scroll: Scroll::default(),
            finding: 0,
            columns: 0,
            result: 0,
            others: Vec::new(),
            others_of: None,
            window: None,
            view_again,
            is_full: false,
            is_stacked: false,
            follows_end: false,
            help: kept.view.help,
            notice: None,
        }
    }

    /// Takes the lab as its file has it now. A program that the learner has changed stays; the starter becomes the new
    /// one. Says whether the lab is still there.
    pub(in crate::screen) fn take_new_text(&mut self, session: &Session) -> bool {
        let ProgramOrigin::Lesson = self.origin else {
            return true;
        };
        let Some(lesson) = session.lesson(&self.lesson.id) else {
            return false;
        };
        let Some(lab) = lesson.labs.iter().find(|it| it.id == self.definition.id) else {
            return false;
        };
        if *lab != self.definition {
            let starter = Editor::new(&lab.starter);
            let is_changed = starter.text() != self.starter;
            if is_changed && self.is_starter() {
                self.saved_text = starter.text();
                self.starter = starter.text();
                self.editor = starter;
                self.typed_since = None;
            } else {
                self.starter = starter.text();
            }
            self.definition = lab.clone();
        }
        self.lesson = Rc::clone(lesson);
        self.others_of = None;
        true
    }

    pub(super) fn is_running(&self) -> bool {
        self.runs.is_running()
    }

    /// Keeps for the session what the learner comes back to.
    pub(super) fn keep(&self, ctx: &mut UpdateContext<'_>) {
        let left = KeptLab {
            runs: self.runs.clone().without_running(),
            view: LabView {
                pane: self.pane,
                help: self.help,
                pane_top: self.scroll.top(),
                program_top: self.editor.top(),
                line: self.editor.line(),
            },
        };
        let labs = &mut ctx.session.labs;
        match (&self.origin, &mut labs.program) {
            (ProgramOrigin::Lesson, _) => {
                let (lesson, lab) = (self.lesson.id.clone(), self.definition.id.clone());
                labs.kept.keep(lesson, lab, left);
            }
            (ProgramOrigin::File(_), Some(opened)) => {
                opened.program.source = self.editor.text();
                opened.saved_text = Some(self.saved_text.clone());
                opened.began_with.clone_from(&self.starter);
                (opened.device, opened.left) = (self.device.clone(), left);
            }
            (ProgramOrigin::File(_), None) => {}
        }
    }

    /// Whether the program is the starter.
    pub(super) fn is_starter(&self) -> bool {
        self.editor.has_text(&self.starter)
    }

    /// Whether what is on the screen is in the records or in the file.
    pub(super) fn is_saved(&self) -> bool {
        self.editor.has_text(&self.saved_text)
    }

    /// Records the learner's program and choice of device if they have changed.
    pub(in crate::screen) fn save_changes(&mut self, ctx: &mut UpdateContext<'_>) {
        self.typed_since = None;
        let ProgramOrigin::Lesson = self.origin else {
            return self.save_file(ctx);
        };
        ctx.note_devices();
        let text = self.editor.text();
        if text == self.saved_text {
            return;
        }
        let is_starter = self.is_starter();
        ctx.note(Event::Edited {
            lesson: self.lesson.id.clone(),
            lab: self.definition.id.clone(),
            source: (!is_starter).then(|| text.clone()),
        });
        self.saved_text = text;
    }

    /// The times of each source line. After an edit or while a run goes on, those of the run before stay beside the lines that are as
    /// they were, where there is room.
    pub(super) fn gutter_for(&self, screen: u16) -> Gutter {
        let last = self.runs.last.as_ref();
        let current = last.filter(|it| self.editor.has_text(&it.source));
        let clocks = |it: &LastRun| it.run.report.as_ref().and_then(Clocks::of);
        let earlier = [last, self.runs.before.as_ref()].into_iter().flatten();
        let mut earlier = earlier.filter(|_| screen >= KEEPS_COLUMNS);
        let of_earlier = || {
            let (it, clocks) = earlier.find_map(|it| Some((it, clocks(it)?)))?;
            let is_same = self.editor.has_text(&it.source);
            let word = if is_same {
                "the run before"
            } else {
                "before your edit"
            };
            Some(clocks.of_earlier(&unchanged(&it.source, &self.editor.text()), word))
        };
        let raised = current.and_then(|it| it.run.raised());
        let error = raised.filter(|it| !it.in_check).map(|it| it.line);
        Gutter {
            lines: self.editor.len(),
            clocks: current.and_then(clocks).or_else(of_earlier),
            error,
            is_wide: screen >= WITH_WAITS,
        }
    }

    pub(super) fn follow(&self) -> Follow {
        match self.mode {
            Mode::Editing => Follow::Cursor,
            Mode::Reading | Mode::Predicting(_) | Mode::ChoosingDevice(_) => Follow::Window,
        }
    }

    /// The program against the starter.
    pub(super) fn diff_lines(&self, width: u16, theme: Theme) -> Vec<Line<'static>> {
        let starter = (self.origin.words().starter, self.starter.as_str());
        diff::lines(starter, &self.editor.text(), width, theme)
    }

    pub(super) fn look_at(&mut self, pane: Pane) {
        self.pane = pane;
        self.follows_end = self.is_running() && pane == Pane::Output;
        self.scroll.go_to_top();
        if pane == Pane::Findings {
            self.show_line_of_finding();
        }
    }
}
