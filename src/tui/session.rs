//! What all screens share: the course, what was done, devices, saving, looks.
//!
//! Screens own their own state; only what outlives a screen is here.

use std::collections::BTreeMap;
use std::rc::Rc;

use ulid::Ulid;

use super::app::Effect;
use super::theme::Theme;
use crate::course::{Course, DeviceWish, Diagnostic, Lesson, LessonId, QuestionId};
use crate::doctor::Report;
use crate::progress::{Event, Labs, Progress, Record};
use crate::protocol::{Clock, DeviceInfo, DeviceName, RunId};

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
    pub(crate) looked: Looked,
    /// Metrics that this session's runs gave to predictions.
    pub(crate) truths: BTreeMap<(LessonId, QuestionId), f64>,
    /// The looks.
    pub(crate) theme: Theme,
    ids: Ids,
}

/// Whether records reach the disk.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) enum Saving {
    /// They do.
    #[default]
    Fine,
    /// They do, but in this folder instead of the usual one.
    Elsewhere(String),
    /// They do not.
    Failing {
        /// How many records are in memory only.
        unsaved: usize,
        /// Why; text of the system.
        why: String,
    },
}

impl Saving {
    /// What the learner has to know all the time.
    pub(crate) fn banner(&self) -> Option<String> {
        match self {
            Self::Fine => None,
            Self::Elsewhere(place) => Some(format!(
                "saved in {place}; `warpup progress import` takes it over later"
            )),
            Self::Failing { unsaved, why } => {
                Some(format!("NOT SAVED ({unsaved}): {why}; S saves elsewhere"))
            }
        }
    }

    /// How many records would be lost now.
    pub(crate) fn unsaved(&self) -> usize {
        match self {
            Self::Fine | Self::Elsewhere(_) => 0,
            Self::Failing { unsaved, .. } => *unsaved,
        }
    }
}

/// What the doctor found last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Looked {
    /// It has not looked yet.
    #[default]
    Never,
    /// It looks; this is known so far, or was found before.
    Looking(Option<Report>),
    /// It has looked.
    All(Report),
    /// It could not look.
    Failed(String),
}

impl Looked {
    /// Notes that it looks from now on; says whether it did not already.
    pub(crate) fn begin(&mut self) -> bool {
        let before = match std::mem::take(self) {
            Self::Looking(report) => {
                *self = Self::Looking(report);
                return false;
            }
            Self::All(report) => Some(report),
            Self::Never | Self::Failed(_) => None,
        };
        *self = Self::Looking(before);
        true
    }

    /// What it knows.
    pub(crate) fn report(&self) -> Option<&Report> {
        match self {
            Self::Looking(report) => report.as_ref(),
            Self::All(report) => Some(report),
            Self::Never | Self::Failed(_) => None,
        }
    }
}

/// What labs can run on, and what the learner has chosen.
#[derive(Debug)]
pub(crate) struct Devices {
    known: Vec<DeviceInfo>,
    /// The choice for labs that take any.
    pub(crate) chosen: DeviceName,
    /// The choice for labs that want a card, while the other choice is none.
    pub(crate) card: Option<DeviceName>,
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
            looked: Looked::Never,
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

impl Default for Devices {
    /// What every worker can do; more is known once the app is on screen.
    fn default() -> Self {
        Self {
            known: vec![
                DeviceInfo {
                    name: DeviceName::Cpu,
                    title: "CPU".to_owned(),
                    clock: Clock::Measured,
                    memory_bytes: None,
                },
                DeviceInfo {
                    name: DeviceName::Model("t4".to_owned()),
                    title: "Tesla T4 (modelled)".to_owned(),
                    clock: Clock::Modelled,
                    memory_bytes: None,
                },
            ],
            chosen: DeviceName::Cpu,
            card: None,
        }
    }
}

impl Devices {
    /// With what the learner chose when the course was open before.
    fn chosen_before(progress: &Progress) -> Self {
        let before = |labs| progress.device(labs)?.parse().ok();
        Self {
            chosen: before(Labs::Any).unwrap_or(DeviceName::Cpu),
            card: before(Labs::Cards),
            ..Self::default()
        }
    }

    /// What is chosen and not yet noted.
    fn unnoted(&self, progress: &Progress) -> Vec<Event> {
        let any = (Labs::Any, Some(&self.chosen), Some("cpu"));
        let cards = (Labs::Cards, self.card.as_ref(), None);
        let choices = [any, cards].into_iter();
        let unnoted = choices.filter_map(|(labs, chosen, usual)| {
            let device = chosen?.to_string();
            let is_noted = progress.device(labs).or(usual) == Some(device.as_str());
            (!is_noted).then_some(Event::Chose { labs, device })
        });
        unnoted.collect()
    }

    /// Takes over what labs can run on, from whoever knows. One worker knows of real cards and the other one of
    /// everything else, so what is said of neither kind stays as it was.
    pub(crate) fn learn(&mut self, said: Vec<DeviceInfo>) {
        let is_real = |it: &DeviceInfo| matches!(it.name, DeviceName::Cuda(_));
        let before = std::mem::take(&mut self.known);
        let (cards_before, others_before) = before.into_iter().partition(is_real);
        let (cards, others): (Vec<_>, Vec<_>) = said.into_iter().partition(is_real);
        let newer = |said: Vec<_>, before| if said.is_empty() { before } else { said };
        let (cards, others) = (newer(cards, cards_before), newer(others, others_before));
        // Beside the CPU: one key away from it, and from the modelled cards.
        let (first, rest) = others
            .into_iter()
            .partition(|it| it.name == DeviceName::Cpu);
        self.known = [first, cards, rest].concat();
        if !self.can_be(&self.chosen) {
            self.chosen = DeviceName::Cpu;
        }
        if self.card.as_ref().is_some_and(|it| !self.can_be(it)) {
            self.card = None;
        }
    }

    /// Whether a device may be there, as far as is known: how many real cards there are is not known before the
    /// first run on one.
    fn can_be(&self, name: &DeviceName) -> bool {
        let is_real = |it: &DeviceName| matches!(it, DeviceName::Cuda(_));
        let mut known = self.known.iter().map(|it| &it.name);
        known.any(|it| it == name || is_real(it) && is_real(name))
    }

    /// What to show for a device.
    pub(crate) fn title(&self, name: &DeviceName) -> String {
        let known = self.known.iter().find(|it| &it.name == name);
        known.map_or_else(|| name.to_string(), |it| it.title.clone())
    }

    /// What a lab runs on if the learner says nothing else.
    pub(crate) fn wished(&self, wish: &DeviceWish) -> DeviceName {
        let is_card = |it: &DeviceName| *it != DeviceName::Cpu;
        match wish {
            DeviceWish::Any => self.chosen.clone(),
            DeviceWish::Cpu => DeviceName::Cpu,
            DeviceWish::Model(card) => DeviceName::Model(card.clone()),
            DeviceWish::Cuda if is_card(&self.chosen) => self.chosen.clone(),
            DeviceWish::Cuda => {
                if let Some(card) = &self.card {
                    return card.clone();
                }
                // A real card only for who has chosen one: a modelled one disturbs nobody.
                let is_model = |it: &&DeviceName| matches!(it, DeviceName::Model(_));
                let card = self.known.iter().map(|it| &it.name).find(is_model);
                card.cloned().unwrap_or(DeviceName::Model("t4".to_owned()))
            }
        }
    }

    /// The device after this one, going round.
    pub(crate) fn after(&self, name: &DeviceName) -> DeviceName {
        self.going(name, 1)
    }

    /// The device before this one, going round.
    pub(crate) fn before(&self, name: &DeviceName) -> DeviceName {
        self.going(name, self.known.len().saturating_sub(1))
    }

    fn going(&self, name: &DeviceName, steps: usize) -> DeviceName {
        let at = self.known.iter().position(|it| &it.name == name);
        let next = at.map_or(0, |it| it + steps) % self.known.len().max(1);
        self.known
            .get(next)
            .map_or(DeviceName::Cpu, |it| it.name.clone())
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
        for event in self.session.devices.unnoted(&self.session.progress) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_go_round() {
        let devices = Devices::default();
        let t4 = devices.after(&DeviceName::Cpu);
        assert_eq!(t4.to_string(), "model:t4");
        assert_eq!(devices.after(&t4), DeviceName::Cpu);
        assert_eq!(devices.before(&t4), DeviceName::Cpu);
        assert_eq!(devices.before(&DeviceName::Cpu), t4);
        assert_eq!(devices.after(&DeviceName::Cuda(7)), DeviceName::Cpu);
    }

    #[test]
    fn a_lab_that_wants_a_card_gets_one_on_a_laptop() {
        let devices = Devices::default();
        assert_eq!(devices.wished(&DeviceWish::Any), DeviceName::Cpu);
        assert_eq!(devices.wished(&DeviceWish::Cuda).to_string(), "model:t4");
    }

    #[test]
    fn a_lab_that_wants_a_card_gets_a_real_one_only_from_who_chose_it() {
        let real = DeviceInfo {
            name: DeviceName::Cuda(0),
            ..DeviceInfo::cpu(1)
        };
        let mut devices = Devices::default();
        devices.learn(vec![real]);
        assert_eq!(devices.after(&DeviceName::Cpu), DeviceName::Cuda(0));
        assert_eq!(devices.wished(&DeviceWish::Cuda).to_string(), "model:t4");
        devices.chosen = DeviceName::Cuda(0);
        assert_eq!(devices.wished(&DeviceWish::Cuda).to_string(), "cuda");
    }
}
