//! Opens the course that the command line asks for.

use super::console::Console;
use super::course_argument::CourseArgument;
use super::failure::{Failure, Result};
use super::file_failure::unreadable;
use std::path::Path;
use warpup_course::{
    self as course, Course, CourseId, CoursePolicy, Diagnostic, LimitedBy, Rule, Rules, Severity,
    Sources,
};
use warpup_exchange::pack;
use warpup_lab::units::count;
use warpup_store::course::{BUILT_IN_ID, LeftOut, OpenError, embedded, embedded_index, folder};
use warpup_store::settings::Policy;
use warpup_store::text_file;

/// The file that says what a course is called and which lessons it has.
pub(super) const MANIFEST: &str = "lessons/course.toml";

/// How the diagnostic of a file that could not be read begins.
const LEFT_OUT: &str = "this file is left out: ";

/// A course with what is known about its files.
#[derive(Debug)]
pub(super) struct OpenCourse {
    /// The course.
    pub(crate) course: Course,
    /// What is wrong with its files, as far as they are read.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The texts of the files.
    pub(crate) sources: Sources,
    /// What holds whatever the course says.
    pub(crate) rules: Rules,
}

/// For whom a course is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readers {
    /// People who take it.
    Learners,
    /// People who teach it, and see the notes for them.
    Instructors,
}

impl From<bool> for Readers {
    /// The value of the flag `--instructor`.
    fn from(instructor: bool) -> Self {
        if instructor {
            Self::Instructors
        } else {
            Self::Learners
        }
    }
}

/// Opens a course folder and reads all of it, or opens the course that is built in: the tests have found nothing wrong
/// with its files, so each lesson is read when it is asked for.
pub(super) fn open<'a>(asked: impl Into<CourseArgument<'a>>) -> Result<OpenCourse> {
    let asked = asked.into();
    let mut opened = heads(asked)?;
    if asked.dir.is_some() {
        opened.read_all();
    }
    Ok(opened)
}

/// Opens a course folder, or the course that is built in, as far as the heads of its lessons.
pub(super) fn heads<'a>(asked: impl Into<CourseArgument<'a>>) -> Result<OpenCourse> {
    let CourseArgument {
        dir,
        language,
        front_end,
    } = asked.into();
    let (mut sources, mut diagnostics) = match dir {
        None => (embedded(), Vec::new()),
        Some(file) if file.is_file() => (packed(file)?, Vec::new()),
        Some(dir) => {
            let opened = folder(dir).map_err(|it| refused(&it))?;
            let left_out = opened.left_out.iter().map(at_file).collect();
            (opened.sources, left_out)
        }
    };
    sources.front_end = front_end;
    let mut course = match dir {
        None => course::open_indexed(&sources, embedded_index()),
        Some(_) => course::open(&sources),
    };
    sources.language = language.choose(&sources, course.language.as_ref())?;
    if sources.language.is_some() {
        course = course::open(&sources);
    }
    if dir.is_some() && course.id.as_str() == BUILT_IN_ID {
        course.id = CourseId::new(format!("folder:{BUILT_IN_ID}"));
        diagnostics.push(kept_apart());
    }
    let machine = Policy::load().unwrap_or_default();
    let rules = rules(&machine, &course.policy);
    course.rule(&rules);
    set_deadlines(&machine, &mut course);
    Ok(OpenCourse {
        course,
        diagnostics,
        sources,
        rules,
    })
}

/// The course of these files, read whole.
pub(super) fn of(sources: Sources) -> OpenCourse {
    let (course, diagnostics) = course::parse(&sources);
    OpenCourse {
        course,
        diagnostics,
        sources,
        rules: Rules::default(),
    }
}

/// The deadlines of the machine come before those of the course.
fn set_deadlines(machine: &Policy, course: &mut Course) {
    for lesson in &course.lessons {
        if let Some(at) = machine.due.get(&lesson.id) {
            course.due_ms.insert(lesson.id.clone(), at.0);
        }
    }
}

/// What holds on a machine with this policy for a course with that one.
fn rules(machine: &Policy, course: &CoursePolicy) -> Rules {
    let of_machine = machine.run.seconds.map(|it| (it, LimitedBy::Machine));
    let of_course = course.seconds.map(u64::from);
    let of_course = of_course.map(|it| (it, LimitedBy::Course));
    Rules {
        pass: machine.pass,
        seconds: of_machine
            .into_iter()
            .chain(of_course)
            .min_by_key(|it| it.0),
    }
}

/// The texts of a course that `warpup pack` wrote.
fn packed(file: &Path) -> Result<Sources> {
    let shown = file.display();
    let bytes =
        text_file::read_bytes(file, pack::MAX_BYTES).map_err(|why| unreadable(file, &why))?;
    pack::read(&bytes).map_err(|why| {
        Failure::arguments_because(
            format!("{shown} is not a packed course that can be opened"),
            why.to_string(),
        )
        .with_hint("give a course folder, or a file that `warpup pack` wrote")
    })
}

/// Somebody else's course must not finish the lessons of the one that is built in. Many begin theirs as a copy of it, so
/// it is still opened.
fn kept_apart() -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        rule: Rule::BuiltInId,
        file: MANIFEST.to_owned(),
        span: 0..0,
        message: format!(
            "the id `{BUILT_IN_ID}` belongs to the course that is built in: progress in this folder is kept apart from it"
        ),
        hint: Some(
            "give your course an id of its own: change `id` in lessons/course.toml".to_owned(),
        ),
        fix: None,
    }
}

fn at_file(left_out: &LeftOut) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        rule: Rule::FileLeftOut,
        file: left_out.file.clone(),
        span: 0..0,
        message: format!("{LEFT_OUT}{}", left_out.why),
        hint: None,
        fix: None,
    }
}

/// A folder that cannot be opened is a wrong argument.
fn refused(error: &OpenError) -> Failure {
    match error {
        OpenError::Io { path, source } => unreadable(path, source),
        OpenError::NoCourse(_) => Failure::arguments_but(
            error.to_string(),
            "give the folder that holds `lessons` and `quizzes`",
        ),
        OpenError::TooManyFiles(_) | OpenError::TooLarge(_) => {
            Failure::arguments(error.to_string())
        }
    }
}

impl OpenCourse {
    /// Reads all lessons and quizzes, and finds what is wrong with them.
    pub(super) fn read_all(&mut self) {
        let (course, found) = course::parse(&self.sources);
        self.course.lessons = course.lessons;
        self.course.rule(&self.rules);
        let of_folder = std::mem::replace(&mut self.diagnostics, found);
        self.diagnostics.splice(0..0, of_folder);
    }

    /// The course in each language that it is translated into.
    pub(super) fn translations(&self) -> Vec<Course> {
        course::in_translations(&self.sources)
    }

    /// The same course for these readers.
    pub(super) fn shown_to(mut self, readers: Readers) -> Self {
        match readers {
            Readers::Learners => {}
            Readers::Instructors => self.course.show_notes(),
        }
        self
    }

    /// Says in one line that the course has faults, if it has. Without its `course.toml`, a course that has one is
    /// another: its id, under which progress is kept, is unknown.
    pub(super) fn warn(&self, console: &mut Console<'_>) -> Result<()> {
        let is_left_out =
            |it: &&Diagnostic| it.file == MANIFEST && it.message.starts_with(LEFT_OUT);
        let left_out = self.diagnostics.iter().find(is_left_out);
        if let Some(why) = left_out.and_then(|it| it.message.strip_prefix(LEFT_OUT)) {
            return Err(Failure::arguments_but(
                format!("{MANIFEST} of this course cannot be read: {why}"),
                "it says which course this is and which lessons it has; without it, nothing can be done for it",
            ));
        }
        let all = self.diagnostics.iter();
        let errors = all.filter(|it| it.severity == Severity::Error).count();
        if errors > 0 {
            console.remark(&format!(
                "warning: parts of the course are missing, `warpup check` says why: {}",
                count(errors, "error", "errors")
            ))?;
        }
        if self.diagnostics.contains(&kept_apart()) {
            let Diagnostic { message, hint, .. } = kept_apart();
            let hint = hint.map_or(String::new(), |it| format!("; {it}"));
            console.remark(&format!("warning: {message}{hint}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::failure::Exit;
    use crate::commands::sample;
    use std::fs;
    use warpup_course::PassRule;

    #[test]
    fn a_course_whose_course_toml_cannot_be_read_is_not_taken_for_another() {
        let dir = tempfile::TempDir::new().unwrap();
        fs::create_dir_all(dir.path().join("lessons/course.toml")).unwrap();
        fs::write(dir.path().join("lessons/a.md"), "# A\n").unwrap();
        let opened = open(Some(dir.path())).unwrap();
        let (text, exit) = sample::console("", |console| opened.warn(console).map(|()| Exit::Fine));
        assert_eq!(exit, Exit::Arguments);
        insta::assert_snapshot!(text, @r"
        error: lessons/course.toml of this course cannot be read: it is not a file
        hint: it says which course this is and which lessons it has; without it, nothing can be done for it
        ");
    }

    #[test]
    fn the_rules_of_a_machine_and_the_limits_of_a_course_hold_for_every_lesson() {
        let machine = Policy {
            pass: Some(PassRule { above_percent: 80 }),
            ..Policy::default()
        };
        let asks = CoursePolicy {
            seconds: Some(5),
            ..CoursePolicy::default()
        };
        let mut course = course::open(&course::sample::sources());
        course.rule(&rules(&machine, &asks));
        let lessons = || course.lessons.iter();
        let quizzes: Vec<_> = lessons().filter_map(|it| it.quiz.as_ref()).collect();
        assert!(!quizzes.is_empty());
        assert!(quizzes.iter().all(|it| it.pass.above_percent == 80));
        let labs: Vec<_> = lessons().flat_map(|it| &it.labs).collect();
        assert!(!labs.is_empty());
        for lab in labs {
            assert!(lab.time_limit.as_secs() <= 5, "{}", lab.id);
        }
        // The lower limit holds, and says whose it is.
        let mut machine = machine;
        machine.run.seconds = Some(60);
        assert_eq!(rules(&machine, &asks).seconds, Some((5, LimitedBy::Course)));
        machine.run.seconds = Some(2);
        assert_eq!(
            rules(&machine, &asks).seconds,
            Some((2, LimitedBy::Machine))
        );
    }

    #[test]
    fn what_keeps_the_progress_of_a_copy_apart_says_how_to_end_that() {
        let dir = tempfile::TempDir::new().unwrap();
        fs::create_dir(dir.path().join("lessons")).unwrap();
        let manifest = "format = 1\nid = \"warpup\"\ntitle = \"Copy\"\nlessons = []\n";
        fs::write(dir.path().join("lessons/course.toml"), manifest).unwrap();
        let opened = open(Some(dir.path())).unwrap();
        let (text, _) = sample::console("", |console| opened.warn(console).map(|()| Exit::Fine));
        let said = text.lines().last().unwrap();
        insta::assert_snapshot!(said, @"warning: the id `warpup` belongs to the course that is built in: progress in this folder is kept apart from it; give your course an id of its own: change `id` in lessons/course.toml");
    }
}
