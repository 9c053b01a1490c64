//! Looks up what the command line names, and helps where there is no such thing.

use super::failure::{Failure, Result};
use std::path::Path;
use warpup_course::nearest;
use warpup_course::{Course, Lab, Lesson, LessonId, Page, Quiz};
use warpup_doctor::Rung;
use warpup_store::course::BUILT_IN_ID;

/// So many names are listed in a hint.
const FEW: usize = 6;

/// A lab with its lesson.
#[derive(Clone, Copy, Debug)]
pub(super) struct LessonLab<'a> {
    pub(super) lesson: &'a Lesson,
    pub(super) lab: &'a Lab,
}

/// The lesson of this name.
pub(super) fn lesson<'a>(course: &'a Course, name: &str) -> Result<&'a Lesson> {
    let found = course.lessons.iter().find(|it| it.id.as_str() == name);
    // Lists have their numbers.
    let number = name.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
    let found = found.or_else(|| course.lessons.get(number?));
    found.ok_or_else(|| {
        let hint = match meant(course, name) {
            Some(lesson) => format!("did you mean `{}`?", lesson.id),
            None => where_lessons_are(course),
        };
        Failure::arguments_but(format!("there is no lesson `{name}`"), hint)
    })
}

/// The lessons of a small course, and for a large one the command that lists them.
fn where_lessons_are(course: &Course) -> String {
    let ids: Vec<&str> = course.lessons.iter().map(|it| it.id.as_str()).collect();
    match ids.as_slice() {
        [] => "this course has no lessons".to_owned(),
        [only] => format!("there is only `{only}`"),
        few if few.len() <= FEW => format!("there are {}", few.join(", ")),
        _ if course.id.as_str() == BUILT_IN_ID => "`warpup read` lists the lessons".to_owned(),
        _ => "`warpup read` with the same `--course` lists the lessons".to_owned(),
    }
}

/// The lesson that was probably meant: by the name of its file, of a lab or a page in it, by its title, or with a
/// typing mistake.
fn meant<'a>(course: &'a Course, name: &str) -> Option<&'a Lesson> {
    let lessons = || course.lessons.iter();
    let parts = || name.split(['/', '#']).filter(|it| !it.is_empty());
    let stem = |part: &str| Path::new(part).file_stem()?.to_str().map(str::to_owned);
    let stems: Vec<String> = parts().filter_map(stem).collect();
    let by_part = lessons().find(|it| stems.iter().any(|part| part == it.id.as_str()));
    let title = name.to_lowercase();
    let by_title = lessons().find(|it| it.title.to_lowercase() == title);
    let by_letters = || {
        let id = nearest(name, lessons().map(|it| it.id.as_str()))?;
        lessons().find(|it| it.id.as_str() == id)
    };
    by_part.or(by_title).or_else(by_letters)
}

/// The page of this name, or with this number, as the app counts them.
pub(super) fn page<'a>(lesson: &'a Lesson, name: &str) -> Result<&'a Page> {
    let number: Option<usize> = name.parse().ok();
    let numbered = number.and_then(|it| lesson.pages.get(it.checked_sub(1)?));
    if let Some(page) = numbered {
        return Ok(page);
    }
    named("page", name, &lesson.pages, |it| it.id.as_str())
}

/// The lab that `LESSON/LAB` names.
pub(super) fn lab<'a>(course: &'a Course, name: &str) -> Result<LessonLab<'a>> {
    let Some((of, lab)) = name.split_once('/') else {
        return Err(no_lab(course, name));
    };
    if Path::new(name).exists() {
        return Err(not_python(name));
    }
    let lesson = lesson(course, of)?;
    let lab = named("lab", lab, &lesson.labs, |it| it.id.as_str())?;
    Ok(LessonLab { lesson, lab })
}

/// A file or folder that is not run.
fn not_python(name: &str) -> Failure {
    Failure::arguments_but(
        format!("`{name}` is neither a lab nor a Python file"),
        "the name of a Python file ends in .py",
    )
}

/// There is no lab of this name, which has no `/`: it may be a lesson, or a lab without its lesson.
fn no_lab(course: &Course, name: &str) -> Failure {
    let path = Path::new(name);
    if path.is_file() || path.is_dir() && course.lessons.iter().all(|it| it.id.as_str() != name) {
        return not_python(name);
    }
    let what = format!("there is no lab or Python file `{name}`");
    let with_ending = path.with_extension("py");
    if with_ending.is_file() {
        let meant = with_ending.display();
        return Failure::arguments_but(what, format!("did you mean `{meant}`?"));
    }
    let all = course.lessons.iter();
    let all = all.flat_map(|it| it.labs.iter().map(move |lab| (it, lab)));
    let full = |(lesson, lab): &(&Lesson, &Lab)| format!("{}/{}", lesson.id, lab.id);
    let of_lesson: Vec<String> = all
        .clone()
        .filter(|(lesson, _)| lesson.id.as_str() == name)
        .map(|it| full(&it))
        .collect();
    if !of_lesson.is_empty() {
        return Failure::arguments_but(what, format!("this lesson has {}", of_lesson.join(", ")));
    }
    let of_name: Vec<String> = all
        .clone()
        .filter(|(_, lab)| lab.id.as_str() == name)
        .map(|it| format!("`{}`", full(&it)))
        .collect();
    if !of_name.is_empty() {
        return Failure::arguments_but(what, format!("did you mean {}?", of_name.join(" or ")));
    }
    let full: Vec<String> = all.clone().map(|it| full(&it)).collect();
    let words = full.iter().map(String::as_str);
    let words = words.chain(all.map(|(_, lab)| lab.id.as_str()));
    let words = words.chain(course.lessons.iter().map(|it| it.id.as_str()));
    let hint = match nearest(name, words) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "a lab is LESSON/LAB: `warpup read` lists the lessons, `warpup run LESSON` the labs of one".to_owned(),
    };
    Failure::arguments_but(what, hint)
}

/// The lesson's quiz.
pub(super) fn quiz(lesson: &Lesson) -> Result<&Quiz> {
    let missing = || Failure::arguments(format!("the lesson `{}` has no quiz", lesson.id));
    lesson.quiz.as_ref().ok_or_else(missing)
}

/// The lesson about a rung of the doctor, if the course has it.
pub(super) fn lesson_about<'a>(rung: &Rung, course: &'a Course) -> Option<&'a LessonId> {
    let wanted = rung.lesson;
    let mut lessons = course.lessons.iter().map(|it| &it.id);
    lessons.find(|it| it.as_str() == wanted)
}

fn named<'a, T>(what: &str, name: &str, all: &'a [T], id: impl Fn(&T) -> &str) -> Result<&'a T> {
    let found = all.iter().find(|it| id(it) == name);
    found.ok_or_else(|| missing(what, name, &all.iter().map(id).collect::<Vec<_>>()))
}

fn missing(what: &str, name: &str, known: &[&str]) -> Failure {
    let hint = match (nearest(name, known.iter().copied()), known) {
        (Some(nearest), _) => format!("did you mean `{nearest}`?"),
        (None, []) => "there is none".to_owned(),
        (None, known) => format!("there are {}", known.join(", ")),
    };
    Failure::arguments_but(format!("there is no {what} `{name}`"), hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::sample;

    fn refusal(failure: &Failure) -> String {
        let mut err = Vec::new();
        failure.report(&mut err, None);
        String::from_utf8(err).unwrap()
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest_or_where_the_names_are() {
        let course = sample::course();
        let hint = |name| {
            let said = refusal(&lesson(&course, name).unwrap_err());
            said.lines().nth(1).unwrap().to_owned()
        };
        for name in [
            "copis",
            "copies/bus",
            "copies#start",
            "lessons/copies.md",
            "what a copy costs",
        ] {
            assert_eq!(hint(name), "hint: did you mean `copies`?", "{name}");
        }
        for name in ["xyzzy", "0", "2", ""] {
            assert_eq!(hint(name), "hint: there is only `copies`", "{name}");
        }
        assert_eq!(lesson(&course, "1").unwrap().id.as_str(), "copies");
        let mut large = sample::course();
        let copies = large.lessons.first().unwrap().clone();
        large.lessons.extend(std::iter::repeat_n(copies, FEW));
        insta::assert_snapshot!(where_lessons_are(&large), @"`warpup read` lists the lessons");
        insta::assert_snapshot!(refusal(&lab(&course, "copies/warp").unwrap_err()), @r"
        error: there is no lab `warp`
        hint: there are bus, repair
        ");
    }

    #[test]
    fn a_name_that_is_not_a_lab_is_answered_with_the_labs_that_it_may_mean() {
        let course = sample::course();
        let hint = |name| {
            let said = refusal(&lab(&course, name).unwrap_err());
            said.lines().nth(1).unwrap().to_owned()
        };
        insta::assert_snapshot!(hint("copies"), @"hint: this lesson has copies/bus, copies/repair");
        insta::assert_snapshot!(hint("bus"), @"hint: did you mean `copies/bus`?");
        insta::assert_snapshot!(hint("copis"), @"hint: did you mean `copies`?");
        insta::assert_snapshot!(hint("xyzzy"), @"hint: a lab is LESSON/LAB: `warpup read` lists the lessons, `warpup run LESSON` the labs of one");
    }
}
