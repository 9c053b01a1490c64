//! What all screens share: the course, what was done, devices, saving, looks.
//!
//! Screens own their own state; only what outlives a screen is here.

mod devices;
mod doctor;
mod saving;

use std::collections::BTreeMap;
use std::rc::Rc;

use ulid::Ulid;

use crate::course::{Course, Diagnostic, Lesson, LessonId, QuestionId};
use crate::progress::{Event, Progress, Record};
use crate::protocol::RunId;
use crate::tui::effect::Effect;
use crate::tui::theme::Theme;

pub(crate) use devices::Devices;
pub(crate) use doctor::DoctorState;
pub(crate) use saving::Saving;

/// What all screens share.
#[derive(Debug)]
pub(crate) struct Session {
    /// The course. Its lessons are in `lessons`.
    pub(crate) course: Course,
    /// The lessons in teaching order, shared with the screens that show them.
    pub(crate) lessons: Vec<Rc<Lesson>>,
    /// What is wrong with the course files.
    pub(crate) problems: Vec<Diagnostic>,
    /// What was done, this session included.
    pub(crate) progress: Progress,
    /// Whether it reaches the disk.
    pub(crate) saving: Saving,
    /// What labs run on.
    pub(crate) devices: Devices,
    /// What the doctor found last.
    pub(crate) doctor: DoctorState,
    /// Metrics that this session's runs gave to predictions.
    pub(crate) truths: BTreeMap<(LessonId, QuestionId), f64>,
    /// The looks.
    pub(crate) theme: Theme,
    ids: Ids,
}

/// Names for records and runs, from one random number.
#[derive(Debug)]
struct Ids {
    random: u128,
    runs: u64,
}

impl Session {
    /// A session that begins. `random` keeps its records apart from those of every other session.
    pub(crate) fn new(
        mut course: Course,
        problems: Vec<Diagnostic>,
        progress: Progress,
        theme: Theme,
        random: u128,
    ) -> Self {
        let lessons = std::mem::take(&mut course.lessons);
        let devices = Devices::chosen_before(&progress);
        Self {
            course,
            lessons: lessons.into_iter().map(Rc::new).collect(),
            problems,
            progress,
            saving: Saving::Fine,
            devices,
            doctor: DoctorState::NotRun,
            truths: BTreeMap::new(),
            theme,
            ids: Ids { random, runs: 0 },
        }
    }

    /// Looks a lesson up.
    pub(crate) fn lesson(&self, id: &LessonId) -> Option<&Rc<Lesson>> {
        self.lessons.iter().find(|it| &it.id == id)
    }

    /// The lesson after this one.
    pub(crate) fn lesson_after(&self, id: &LessonId) -> Option<&Rc<Lesson>> {
        let mut lessons = self.lessons.iter().skip_while(|it| &it.id != id);
        lessons.next();
        lessons.next()
    }

    /// A new name, sorted by time.
    pub(crate) fn new_id(&mut self, now_ms: u64) -> Ulid {
        self.ids.random = self.ids.random.wrapping_add(1);
        Ulid::from_parts(now_ms, self.ids.random)
    }

    /// A number for a run, larger than all before.
    pub(crate) fn new_run(&mut self) -> RunId {
        self.ids.runs += 1;
        RunId(self.ids.runs)
    }
}

/// One event's worth of work: what a screen may use and what it asks for.
#[derive(Debug)]
pub(crate) struct UpdateContext<'a> {
    /// What all screens share.
    pub(crate) session: &'a mut Session,
    /// The time, in milliseconds since 1970 UTC.
    pub(crate) now_ms: u64,
    /// What is asked of the shell, in order.
    pub(crate) effects: Vec<Effect>,
}

impl UpdateContext<'_> {
    /// Notes the choice of devices, if it is another one than before.
    pub(crate) fn note_devices(&mut self) {
        for event in self.session.devices.choice.unsaved(&self.session.progress) {
            self.note(event);
        }
    }

    /// Notes that something happened: it counts at once, and the shell is asked to save it.
    pub(crate) fn note(&mut self, event: Event) {
        let record = Record {
            id: self.session.new_id(self.now_ms).to_string(),
            at_ms: self.now_ms,
            course: self.session.course.id.as_str().to_owned(),
            event,
        };
        self.session.progress.apply(record.clone());
        self.effects.push(Effect::Save(record));
    }
}
