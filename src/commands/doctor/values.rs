//! Every value in force on this machine, and who has set it. Pure.

use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use warpup_course::{CoursePolicy, LessonId};
use warpup_lab::engine::cards::VARIABLE as WORKER;
use warpup_lab::units;
use warpup_store::settings::{
    ClassPolicy, CudaPolicy, CudaSettings, Deadline, Policy, RunPolicy, ScreenSettings, Settings,
};
use warpup_text::utc;

/// A value and who has set it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct EffectiveValue {
    /// Its name, as the files write it.
    pub(super) key: &'static str,
    /// The value, in words for a person.
    pub(super) value: String,
    /// Who has set it.
    pub(super) from: Origin,
}

/// Who has set a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Origin {
    /// The command line.
    Option,
    /// A variable.
    Variable,
    /// The administrator of the machine.
    Policy,
    /// The course.
    Course,
    /// The user's settings.
    Settings,
    /// Nobody.
    Default,
}

impl Origin {
    /// The words for it; `settings` is the file of the user.
    pub(super) fn words(self, settings: &str) -> &str {
        match self {
            Self::Option => "the command line",
            Self::Variable => "a variable",
            Self::Policy => "/etc/warpup.toml",
            Self::Course => "the course",
            Self::Settings => settings,
            Self::Default => "nobody",
        }
    }
}

/// What sets values.
pub(super) struct Sources<'a> {
    /// The course that is open, where it is not warpup's own.
    pub(super) open: Option<&'a Path>,
    /// The variables.
    pub(super) variable: &'a dyn Fn(&str) -> Option<String>,
    /// The policy of the machine.
    pub(super) policy: &'a Policy,
    /// The policy of the course.
    pub(super) course: &'a CoursePolicy,
    /// Whether the course has this lesson.
    pub(super) has_lesson: &'a dyn Fn(&LessonId) -> bool,
    /// The settings of the user.
    pub(super) user: &'a Settings,
}

/// A value that somebody may have set.
struct ConfiguredValue {
    key: &'static str,
    /// In the order in which they are asked.
    by: Vec<(Origin, Option<String>)>,
}

impl ConfiguredValue {
    fn of(key: &'static str) -> Self {
        Self {
            key,
            by: Vec::new(),
        }
    }

    fn or(mut self, by: Origin, value: Option<String>) -> Self {
        self.by.push((by, value));
        self
    }

    fn otherwise(self, default: impl Into<String>) -> EffectiveValue {
        let set = self.by.into_iter().find_map(|(by, it)| Some((by, it?)));
        let (from, value) = set.unwrap_or_else(|| (Origin::Default, default.into()));
        EffectiveValue {
            key: self.key,
            value,
            from,
        }
    }
}

/// The smallest of several limits, and who has set it.
fn least<T: Ord + Copy>(
    key: &'static str,
    by: &[(Origin, Option<T>)],
    default: &str,
    words: impl Fn(T) -> String,
) -> EffectiveValue {
    let set = by.iter().filter_map(|(by, it)| Some((*by, (*it)?)));
    let (from, value) = set.min_by_key(|it| it.1).map_or_else(
        || (Origin::Default, default.to_owned()),
        |(by, it)| (by, words(it)),
    );
    EffectiveValue { key, value, from }
}

/// Every value, in the order of the files.
pub(super) fn in_force(from: &Sources<'_>) -> Vec<EffectiveValue> {
    // Taken apart, so that a new setting does not compile before it has a row.
    let Policy {
        course,
        trust,
        cuda,
        run,
        pass,
        class: ClassPolicy { drop },
        due,
    } = from.policy;
    let Settings {
        course: own_course,
        cuda: own,
        run: _,
        screen,
        keys,
    } = from.user;
    let variable = |name: &str| (from.variable)(name).filter(|it| !it.is_empty());
    // The course that is open has its path from one of these, or from the command line.
    let of_variable = variable("WARPUP_COURSE").map(PathBuf::from);
    let elsewhere = [&of_variable, course, own_course];
    let option = from.open.filter(|it| {
        let mut elsewhere = elsewhere.iter().filter_map(|it| it.as_deref());
        elsewhere.all(|other| other != *it)
    });
    let mut rows = vec![
        ConfiguredValue::of("course")
            .or(Origin::Option, option.map(shown))
            .or(Origin::Variable, variable("WARPUP_COURSE"))
            .or(Origin::Policy, course.as_deref().map(shown))
            .or(Origin::Settings, own_course.as_deref().map(shown))
            .otherwise("warpup's own"),
        ConfiguredValue::of("trust")
            .or(
                Origin::Policy,
                trust.then(|| "its labs run without asking".to_owned()),
            )
            .otherwise("asks before labs of others run"),
        ConfiguredValue::of("data")
            .or(Origin::Variable, variable("WARPUP_DATA"))
            .or(
                Origin::Variable,
                variable("XDG_DATA_HOME").map(|it| format!("{it}/warpup")),
            )
            .otherwise("~/.local/share/warpup"),
    ];
    rows.extend(of_cards(cuda, own, variable(WORKER)));
    rows.extend(of_runs(run, from.course, variable("RAYON_NUM_THREADS")));
    let pass = pass.map(|it| format!("more than {} %", it.above_percent));
    rows.push(
        ConfiguredValue::of("pass")
            .or(Origin::Policy, pass)
            .otherwise("as each quiz says"),
    );
    rows.push(
        ConfiguredValue::of("class.drop")
            .or(Origin::Policy, drop.as_deref().map(shown))
            .or(Origin::Course, from.course.drop.as_deref().map(shown))
            .otherwise("no folder"),
    );
    rows.push(
        ConfiguredValue::of("due")
            .or(Origin::Policy, due_in_words(due, from.has_lesson))
            .otherwise("as the course says"),
    );
    rows.extend(of_screen(*screen));
    let names: Vec<_> = keys.iter().map(|it| it.action.as_str()).collect();
    rows.push(
        ConfiguredValue::of("keys")
            .or(
                Origin::Settings,
                (!keys.is_empty()).then(|| names.join(", ")),
            )
            .otherwise("the usual ones"),
    );
    rows
}

fn of_screen(ScreenSettings { theme, mouse }: ScreenSettings) -> [EffectiveValue; 2] {
    let usual = ScreenSettings::default();
    let on = |it: bool| if it { "on" } else { "off" };
    let own_theme = (theme != usual.theme).then(|| theme.name().to_owned());
    let own_mouse = (mouse != usual.mouse).then(|| on(mouse).to_owned());
    [
        ConfiguredValue::of("screen.theme")
            .or(Origin::Settings, own_theme)
            .otherwise(usual.theme.name()),
        ConfiguredValue::of("screen.mouse")
            .or(Origin::Settings, own_mouse)
            .otherwise(on(usual.mouse)),
    ]
}

/// The deadlines of the policy; nothing where it has none.
fn due_in_words(
    due: &BTreeMap<LessonId, Deadline>,
    has_lesson: impl Fn(&LessonId) -> bool,
) -> Option<String> {
    let said = due.iter().map(|(lesson, at)| {
        let at = utc::minute(at.0);
        let unknown = if has_lesson(lesson) {
            ""
        } else {
            ", which this course does not have"
        };
        format!("{lesson}{unknown}: {at} UTC")
    });
    let said: Vec<_> = said.collect();
    (!said.is_empty()).then(|| said.join("; "))
}

fn of_cards(set: &CudaPolicy, own: &CudaSettings, worker: Option<String>) -> Vec<EffectiveValue> {
    let CudaPolicy {
        worker: policy_worker,
        launcher,
        linger_seconds,
        library_path,
        memory_cap,
        cards,
    } = set;
    let CudaSettings {
        worker: own_worker,
        launcher: own_launcher,
        linger,
        may_linger_launched: _,
        library_path: own_path,
        memory_cap: own_cap,
        cards: _,
    } = own;
    let usual = CudaSettings::default();
    let words = |it: &[String]| (!it.is_empty()).then(|| it.join(" "));
    let folders = |it: &[PathBuf]| {
        let all: Vec<_> = it.iter().map(|it| shown(it)).collect();
        (!all.is_empty()).then(|| all.join(":"))
    };
    let seconds = |it: u64| format!("{it} s");
    let own_linger = (*linger != usual.linger).then(|| seconds(linger.as_secs()));
    vec![
        ConfiguredValue::of("cuda.worker")
            .or(Origin::Variable, worker)
            .or(Origin::Policy, policy_worker.as_deref().map(shown))
            .or(Origin::Settings, own_worker.as_deref().map(shown))
            .otherwise("looked for where it usually is"),
        ConfiguredValue::of("cuda.launcher")
            .or(
                Origin::Policy,
                launcher.as_ref().map(|it| words(it).unwrap_or_default()),
            )
            .or(Origin::Settings, words(own_launcher))
            .otherwise("started directly"),
        ConfiguredValue::of("cuda.linger_seconds")
            .or(Origin::Policy, linger_seconds.map(seconds))
            .or(Origin::Settings, own_linger)
            .otherwise(seconds(usual.linger.as_secs())),
        ConfiguredValue::of("cuda.library_path")
            .or(
                Origin::Policy,
                library_path
                    .as_ref()
                    .map(|it| folders(it).unwrap_or_default()),
            )
            .or(Origin::Settings, folders(own_path))
            .otherwise("no other folders"),
        least(
            "cuda.memory_cap",
            &[(Origin::Policy, *memory_cap), (Origin::Settings, *own_cap)],
            "all of the card",
            units::bytes,
        ),
        ConfiguredValue::of("cuda.cards")
            .or(Origin::Policy, cards.as_ref().map(|it| it.join(", ")))
            .otherwise("those that CUDA_VISIBLE_DEVICES leaves"),
    ]
}

fn of_runs(set: &RunPolicy, asked: &CoursePolicy, threads: Option<String>) -> Vec<EffectiveValue> {
    let RunPolicy {
        seconds,
        memory,
        threads: most,
    } = *set;
    let CoursePolicy {
        seconds: course_seconds,
        memory: course_memory,
        threads: course_threads,
        drop: _,
    } = asked;
    let of_variable = threads.and_then(|it| it.parse::<u32>().ok());
    vec![
        least(
            "run.seconds",
            &[
                (Origin::Policy, seconds),
                (Origin::Course, course_seconds.map(u64::from)),
            ],
            "as each lab says",
            |it| format!("at most {it} s"),
        ),
        least(
            "run.memory",
            &[(Origin::Policy, memory), (Origin::Course, *course_memory)],
            "as each lab says",
            |it| format!("at most {}", units::bytes(it)),
        ),
        least(
            "run.threads",
            &[
                (Origin::Policy, most.map(u32::from)),
                (Origin::Course, *course_threads),
                (Origin::Variable, of_variable.filter(|it| *it > 0)),
            ],
            "those of this machine, at most 4",
            |it| it.to_string(),
        ),
    ]
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(from: &Sources<'_>) -> String {
        let rows = in_force(from).into_iter();
        let rows = rows.map(|it| format!("{}: {} ({:?})", it.key, it.value, it.from));
        rows.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn nobody_has_set_anything() {
        insta::assert_snapshot!(rows(&Sources {
            open: None,
            variable: &|_| None,
            policy: &Policy::default(),
            course: &CoursePolicy::default(),
            has_lesson: &|_| true,
            user: &Settings::default(),
        }), @"
        course: warpup's own (Default)
        trust: asks before labs of others run (Default)
        data: ~/.local/share/warpup (Default)
        cuda.worker: looked for where it usually is (Default)
        cuda.launcher: started directly (Default)
        cuda.linger_seconds: 10 s (Default)
        cuda.library_path: no other folders (Default)
        cuda.memory_cap: all of the card (Default)
        cuda.cards: those that CUDA_VISIBLE_DEVICES leaves (Default)
        run.seconds: as each lab says (Default)
        run.memory: as each lab says (Default)
        run.threads: those of this machine, at most 4 (Default)
        pass: as each quiz says (Default)
        class.drop: no folder (Default)
        due: as the course says (Default)
        screen.theme: auto (Default)
        screen.mouse: on (Default)
        keys: the usual ones (Default)
        ");
    }

    #[test]
    fn the_first_who_sets_a_value_is_named_and_of_limits_the_lowest() {
        let policy = Policy {
            course: Some("/srv/course".into()),
            cuda: CudaPolicy {
                launcher: Some(vec!["srun".to_owned(), "-n1".to_owned()]),
                memory_cap: Some(2 << 30),
                cards: Some(vec!["GPU-8932f937".to_owned()]),
                ..CudaPolicy::default()
            },
            run: RunPolicy {
                seconds: Some(60),
                memory: Some(1 << 30),
                threads: None,
            },
            due: ["copies", "copys"]
                .map(|it| (LessonId::new(it), Deadline(951_782_400_000)))
                .into(),
            ..Policy::default()
        };
        let course = CoursePolicy {
            seconds: Some(30),
            memory: Some(2 << 30),
            threads: Some(2),
            drop: Some("/srv/inbox".into()),
        };
        let mut user = Settings {
            course: Some("/mine".into()),
            ..Settings::default()
        };
        user.cuda.memory_cap = Some(1 << 30);
        user.cuda.worker = Some("/opt/w".into());
        insta::assert_snapshot!(rows(&Sources {
            open: Some(Path::new("/srv/course")),
            variable: &|it| (it == "WARPUP_DATA").then(|| "/data".to_owned()),
            policy: &policy,
            course: &course,
            has_lesson: &|it| it.as_str() == "copies",
            user: &user,
        }), @"
        course: /srv/course (Policy)
        trust: asks before labs of others run (Default)
        data: /data (Variable)
        cuda.worker: /opt/w (Settings)
        cuda.launcher: srun -n1 (Policy)
        cuda.linger_seconds: 10 s (Default)
        cuda.library_path: no other folders (Default)
        cuda.memory_cap: 1.00 GiB (Settings)
        cuda.cards: GPU-8932f937 (Policy)
        run.seconds: at most 30 s (Course)
        run.memory: at most 1.00 GiB (Policy)
        run.threads: 2 (Course)
        pass: as each quiz says (Default)
        class.drop: /srv/inbox (Course)
        due: copies: 2000-02-29 00:00 UTC; copys, which this course does not have: 2000-02-29 00:00 UTC (Policy)
        screen.theme: auto (Default)
        screen.mouse: on (Default)
        keys: the usual ones (Default)
        ");
    }
}
