//! `warpup` in a terminal: hands over to the app, which owns stdin and stdout while it runs.

use super::course_argument::{CourseArgument, LanguageChoice};
use super::courses::Readers;
use super::failure::{Exit, Result};
use super::learner::{self, Learner, LogNotices};
use super::{consent, courses, workers};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use warpup_course::{Course, CoursePolicy, Diagnostic, FrontEnd, Sources};
use warpup_lab::device_table::{DeviceFacts, Peaks};
use warpup_lab::engine::cards::VARIABLE;
use warpup_lab::engine::{Workers, worker_threads_within};
use warpup_protocol::{Clock, DeviceInfo, DeviceName, Reason};
use warpup_store as store;
use warpup_store::settings::{self, Settings};
use warpup_text::shown::Shown;
use warpup_tui::{
    CourseFolder, CourseNow, DeferredStart, Machine, Preview, ProgramFile, StartState, TraceSource,
    with_settings,
};
use warpup_worker::device;

/// Mistakes in the keys of the settings that are shown: who corrects these sees the next.
const MOST_MISTAKES: usize = 20;

/// Opens the app where the learner left off.
pub(super) fn app(asked: CourseArgument<'_>, readers: Readers) -> Result<Exit> {
    with(asked, readers, |_| {})
}

/// Opens the app at a program of the learner's own.
pub(super) fn program(
    program: ProgramFile,
    asked: CourseArgument<'_>,
    readers: Readers,
) -> Result<Exit> {
    with(asked, readers, |opening| opening.program = Some(program))
}

/// Opens the app at these traces of the learner's own.
pub(super) fn traces(
    traces: Vec<TraceSource>,
    asked: CourseArgument<'_>,
    readers: Readers,
) -> Result<Exit> {
    with(asked, readers, |opening| opening.traces = traces)
}

fn with(
    asked: CourseArgument<'_>,
    readers: Readers,
    opens: impl FnOnce(&mut StartState),
) -> Result<Exit> {
    let asked = asked.in_front_end(FrontEnd::Screen);
    let dir = asked.dir;
    let mut opened = courses::heads(asked)?.shown_to(readers);
    let data = store::data_dir();
    let warnings = learner::warnings(&data);
    let data = data.ok();
    let learner = Learner::load(data.clone(), &opened.course.id);
    let (mut opening, settings, reading) = opening(&opened.course, learner, None);
    opens(&mut opening);
    let of_settings = opening.warnings.clone();
    let ended = warpup_tui::run(opening, || {
        let of_folder = opened.diagnostics.clone();
        if dir.is_some() {
            opened.read_all();
        }
        let consent = consent::missing(&opened.course, dir, data.as_deref());
        let before = (opened.sources, of_folder);
        DeferredStart {
            problems: opened.diagnostics,
            consent,
            machine: machine(settings, &opened.course.policy),
            folder: dir
                .filter(|it| it.is_dir())
                .map(|it| watched(it, asked.language.clone(), readers, before, data)),
        }
    });
    let warnings = warnings.into_iter().chain(reading.warn_once());
    for warning in of_settings.into_iter().chain(warnings) {
        // After the app has left the screen, so that the warning stays on it.
        writeln!(io::stderr(), "{}", Shown::new(warning.trim_end()))?;
    }
    ended?;
    Ok(Exit::Fine)
}

/// What the app opens a course with, the settings of its workers, and what is to be said about the progress.
pub(super) fn opening(
    course: &Course,
    learner: Learner,
    preview: Option<Preview>,
) -> (StartState, Settings, LogNotices) {
    let (progress, log, reading) = learner.into_parts();
    let set = settings::load();
    let (keys, mistakes) = with_settings(&set.settings.keys);
    let mistakes = mistakes.into_iter().take(MOST_MISTAKES);
    let mistakes = mistakes.map(|it| set.warning_at(it.at, it.message, it.hint));
    let opening = StartState {
        course: course.clone(),
        progress,
        log,
        screen: set.settings.screen,
        keys,
        warnings: set.warning.clone().into_iter().chain(mistakes).collect(),
        preview,
        traces: Vec::new(),
        program: None,
    };
    (opening, set.settings, reading)
}

/// The folder of the course, read again whenever its files change from what they were before.
fn watched(
    dir: &Path,
    language: LanguageChoice,
    readers: Readers,
    mut before: (Sources, Vec<Diagnostic>),
    data: Option<PathBuf>,
) -> CourseFolder {
    let folder = dir.to_owned();
    CourseFolder {
        dir: dir.to_owned(),
        read: Box::new(move || {
            let asked = CourseArgument {
                dir: Some(&folder),
                language: &language,
                front_end: Some(FrontEnd::Screen),
            };
            let mut opened = courses::heads(asked).ok()?;
            let now = (opened.sources.clone(), opened.diagnostics.clone());
            if now == before {
                return None;
            }
            before = now;
            opened.read_all();
            let opened = opened.shown_to(readers);
            let consent = consent::missing(&opened.course, Some(&folder), data.as_deref());
            Some(CourseNow {
                course: opened.course,
                problems: opened.diagnostics,
                consent,
                preview: None,
            })
        }),
    }
}

/// What labs can run on here, found out without starting anything.
pub(super) fn machine(set: Settings, course: &CoursePolicy) -> Machine {
    let (run, set) = (set.run, set.cuda);
    // Who names a worker or a launcher knows where its card is, which need not be here.
    let is_named =
        set.worker.is_some() || !set.launcher.is_empty() || std::env::var_os(VARIABLE).is_some();
    let workers = workers::with(set)
        .within(workers::most(run))
        .within(workers::most_of(course));
    let devices = devices(&workers);
    let facts = DeviceFacts {
        peaks: peaks(),
        no_card: workers.cards.as_ref().err().cloned(),
        no_driver: no_driver(|it| Path::new(it).exists()).filter(|_| !is_named),
    };
    Machine {
        devices,
        facts,
        workers,
    }
}

/// That nothing of a driver is there, as far as files say; WSL has its own device.
fn no_driver(is_there: impl Fn(&str) -> bool) -> Option<Reason> {
    let signs = ["/proc/driver/nvidia/version", "/dev/nvidiactl", "/dev/dxg"];
    (!signs.into_iter().any(is_there)).then(|| Reason {
        why: "no NVIDIA driver is loaded on this machine".to_owned(),
        hint: "`warpup doctor` says what is missing".to_owned(),
        evidence: String::new(),
    })
}

/// What the workers will say that they can run on, so that all of it can be chosen before the first run. Which
/// real cards there are is known only after that: to ask is to start a worker.
pub(super) fn devices(workers: &Workers) -> Vec<DeviceInfo> {
    let card = workers.cards.is_ok().then(|| DeviceInfo {
        name: DeviceName::cuda(0),
        title: "cuda, a real card".to_owned(),
        clock: Clock::Measured,
        memory_bytes: None,
    });
    let all = device::list().into_iter().map(|it| match it.name {
        // The worker is given its threads when it starts; this process has others.
        DeviceName::Cpu => DeviceInfo::cpu(worker_threads_within(workers.most.threads)),
        DeviceName::Cuda(_) | DeviceName::Model(_) => it,
    });
    all.chain(card).collect()
}

/// The data sheets of the cards that can be modelled.
fn peaks() -> Vec<Peaks> {
    let cards = device::cards::shipped().in_order().into_iter();
    let peaks = cards.map(|(id, card)| Peaks {
        device: DeviceName::Model(id.clone()),
        title: card.title.clone(),
        bandwidth: card.bandwidth,
        f32: card.flops.f32,
        f16: card.flops.f16,
    });
    peaks.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_lab::engine::cards::CardWorker;

    #[test]
    fn a_machine_without_any_sign_of_a_driver_is_told_apart() {
        assert!(no_driver(|_| false).is_some());
        for sign in ["/proc/driver/nvidia/version", "/dev/nvidiactl", "/dev/dxg"] {
            assert_eq!(no_driver(|it| it == sign), None);
        }
    }

    #[test]
    fn a_real_card_is_offered_where_there_is_a_worker_for_it() {
        let offers = |has_cards: bool| {
            let none = workers::without_cards();
            let cards = if has_cards {
                Ok(CardWorker::default())
            } else {
                none.cards.clone()
            };
            let devices = devices(&Workers { cards, ..none }).into_iter();
            devices
                .filter(|it| matches!(it.name, DeviceName::Cuda(_)))
                .count()
        };
        assert_eq!((offers(false), offers(true)), (0, 1));
    }
}
