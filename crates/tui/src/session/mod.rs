//! What all screens share: the course, the progress, devices, saving, the theme.
//!
//! Screens own their own state; only what outlives a screen is here.

mod addresses;
mod cards;
mod devices;
mod doctor;
mod labs;
mod pauses;
mod preview;
mod reload;
mod saving;
mod settings;
mod trace;

use std::collections::BTreeMap;
use std::rc::Rc;

use ulid::Ulid;

use crate::effect::Effect;
use crate::keymap::Keys;
use crate::search::Search;
use crate::theme::Theme;
use crate::tour::Tour;
use warpup_course::{Course, Diagnostic, Lesson, LessonId, PageId, QuestionId};
use warpup_progress::{Event, Feedback, Progress, Record};
use warpup_protocol::RunId;
use warpup_text::zone::Zone;

pub(crate) use cards::Cards;
pub(crate) use devices::Devices;
pub(crate) use doctor::DoctorState;
pub(crate) use labs::{
    Help, KeptLab, KeptLabs, LabView, LastRun, OpenedProgram, Pane, RunClock, Runs,
};
pub(crate) use pauses::lab_blocks;
pub use preview::PreviewStatus;
pub(crate) use reload::ReloadedCourse;
pub(crate) use saving::{DiskState, PendingSaves, Receipt, SaveReport, SaveState};
pub(crate) use settings::{SettingSave, Settings};
pub(crate) use trace::{OwnSource, ReadTrace, ReadTraces, SourceText, TraceRelation, TraceState};

/// Whether labs of the course may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabsMayRun {
    /// The course is warpup's own, or the learner has agreed.
    Yes,
    /// The learner has to be asked first.
    Ask,
}

/// What all screens share.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) course: CourseState,
    pub(crate) learner: LearnerState,
    pub(crate) machine: MachineState,
    pub(crate) labs: LabState,
    pub(crate) view: ViewState,
    /// The trace of the learner's own that the app was opened with.
    pub(crate) traces: TraceState,
    pub(crate) theme: Theme,
    /// In which deadlines are shown.
    pub(crate) zone: Zone,
    /// The keys in force.
    pub(crate) keys: Keys,
    pub(crate) settings: Settings,
}

/// The course as its files are now.
#[derive(Debug)]
pub(crate) struct CourseState {
    /// What the course says of itself. Its lessons are in `lessons`.
    pub(crate) about: Course,
    /// The lessons in teaching order, shared with the screens that show them.
    pub(crate) lessons: Vec<Rc<Lesson>>,
    /// What is wrong in the files of the course; nothing before they are read.
    pub(crate) problems: Vec<Diagnostic>,
    /// What is wrong in the course that an author is writing; nothing for learners.
    pub(crate) preview: Option<PreviewStatus>,
}

/// What the learner has done, and what of it is on the disk.
#[derive(Debug)]
pub(crate) struct LearnerState {
    /// What the learner has done, this session included.
    pub(crate) progress: Progress,
    pub(crate) saving: PendingSaves,
    /// What an instructor has sent back.
    pub(crate) feedback: Feedback,
    /// Whether nothing is kept once the app ends.
    pub(crate) is_guest: bool,
    /// The random part of the newest record's ID.
    random: u128,
}

/// What is known of this machine.
#[derive(Debug)]
pub(crate) struct MachineState {
    pub(crate) devices: Devices,
    /// The cards of this machine, for the map.
    pub(crate) cards: Cards,
    pub(crate) doctor: DoctorState,
}

/// Labs beyond the screens that show them.
#[derive(Debug)]
pub(crate) struct LabState {
    /// What the labs that were left have kept.
    pub(crate) kept: KeptLabs,
    /// The measured values that predictions ask for, from this session's runs.
    pub(crate) truths: BTreeMap<(LessonId, QuestionId), f64>,
    pub(crate) may_run: LabsMayRun,
    /// The learner's own program, in an app that was opened with one.
    pub(crate) program: Option<OpenedProgram>,
    /// The newest run.
    runs: u64,
}

/// What is shown beside the screen in front, or on several.
#[derive(Debug, Default)]
pub(crate) struct ViewState {
    /// Something to say in the place of the footer, until the next key.
    pub(crate) notice: Option<String>,
    /// The search that is open, if any.
    pub(crate) search: Option<Search>,
    /// The tour that is taken, if any.
    pub(crate) tour: Option<Tour>,
    /// How far pages were read on behind their pauses since warpup started.
    revealed: BTreeMap<(LessonId, PageId), usize>,
}

impl Session {
    /// A new session. `random` makes the IDs of its records differ from those of all other sessions.
    pub(crate) fn new(mut course: Course, progress: Progress, theme: Theme, random: u128) -> Self {
        let lessons = std::mem::take(&mut course.lessons);
        let devices = Devices::chosen_before(&progress);
        Self {
            course: CourseState {
                about: course,
                lessons: lessons.into_iter().map(Rc::new).collect(),
                problems: Vec::new(),
                preview: None,
            },
            learner: LearnerState {
                progress,
                saving: PendingSaves::default(),
                feedback: Feedback::default(),
                is_guest: false,
                random,
            },
            machine: MachineState {
                devices,
                cards: Cards::default(),
                doctor: DoctorState::NotRun,
            },
            labs: LabState {
                kept: KeptLabs::default(),
                truths: BTreeMap::new(),
                may_run: LabsMayRun::Yes,
                program: None,
                runs: 0,
            },
            view: ViewState::default(),
            traces: TraceState::None,
            theme,
            zone: Zone::UTC,
            keys: Keys::default(),
            settings: Settings::default(),
        }
    }

    /// Looks a lesson up.
    pub(crate) fn lesson(&self, id: &LessonId) -> Option<&Rc<Lesson>> {
        self.course.lessons.iter().find(|it| &it.id == id)
    }

    /// The lesson after this one.
    pub(crate) fn lesson_after(&self, id: &LessonId) -> Option<&Rc<Lesson>> {
        let mut lessons = self.course.lessons.iter().skip_while(|it| &it.id != id);
        lessons.next();
        lessons.next()
    }

    /// A new ID for a record or attempt; later IDs sort after earlier ones.
    pub(crate) fn new_id(&mut self, now_ms: u64) -> Ulid {
        self.learner.random = self.learner.random.wrapping_add(1);
        Ulid::from_parts(now_ms, self.learner.random)
    }

    /// A new ID for a run, larger than all before.
    pub(crate) fn new_run(&mut self) -> RunId {
        self.labs.runs += 1;
        RunId(self.labs.runs)
    }
}

/// What a screen can use and change while it handles one event.
#[derive(Debug)]
pub(crate) struct UpdateContext<'a> {
    /// What all screens share.
    pub(crate) session: &'a mut Session,
    /// The time, in milliseconds since 1970 UTC.
    pub(crate) now_ms: u64,
    /// Effects for the shell, in order.
    pub(crate) effects: Vec<Effect>,
}

impl UpdateContext<'_> {
    /// Records the choice of devices if it has changed.
    pub(crate) fn note_devices(&mut self) {
        for event in self
            .session
            .machine
            .devices
            .choice
            .unsaved(&self.session.learner.progress)
        {
            self.note(event);
        }
    }

    /// Records an event: progress counts it at once, and the shell saves it.
    pub(crate) fn note(&mut self, event: Event) {
        self.session.learner.saving.note(event.is_awaited());
        let at_ms = self.session.learner.progress.stamp(self.now_ms);
        let record = Record {
            id: self.session.new_id(at_ms).to_string(),
            at_ms,
            course: self.session.course.about.id.as_str().to_owned(),
            event,
        };
        self.session.learner.progress.apply(record.clone());
        self.effects.push(Effect::Save(record));
    }
}
