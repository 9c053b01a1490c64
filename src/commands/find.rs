//! Looks up what the command line names, and helps where there is no such thing.

use super::failure::{Failure, Result};
use std::path::Path;
use warpup_course::nearest;
use warpup_course::{Course, Lab, Lesson, LessonId, Page, Quiz};
use warpup_doctor::Rung;

/// A lab with its lesson.
#[derive(Clone, Copy, Debug)]
pub(super) struct LessonLab<'a> {
    pub(super) lesson: &'a Lesson,
    pub(super) lab: &'a Lab,
}

/// The lesson of this name.
pub(super) fn lesson<'a>(course: &'a Course, name: &str) -> Result<&'a Lesson> {
    named("lesson", name, &course.lessons, |it| it.id.as_str())
}

/// The page of this name.
pub(super) fn page<'a>(lesson: &'a Lesson, name: &str) -> Result<&'a Page> {
    named("page", name, &lesson.pages, |it| it.id.as_str())
}

/// The lab that `LESSON/LAB` names.
pub(super) fn lab<'a>(course: &'a Course, name: &str) -> Result<LessonLab<'a>> {
    let Some((of, lab)) = name.split_once('/') else {
        return Err(no_lab(course, name));
    };
    if Path::new(name).exists() {
        return Err(Failure::arguments_but(
            format!("`{name}` is neither a lab nor a Python file"),
            "the name of a Python file ends in .py",
        ));
    }
    let lesson = lesson(course, of)?;
    let lab = named("lab", lab, &lesson.labs, |it| it.id.as_str())?;
    Ok(LessonLab { lesson, lab })
}

/// There is no lab of this name, which has no `/`: it may be a lesson, or a lab without its lesson.
fn no_lab(course: &Course, name: &str) -> Failure {
    let what = format!("there is no lab or Python file `{name}`");
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
    let near = nearest(name, words).map_or(String::new(), |it| format!("did you mean `{it}`? "));
    Failure::arguments_but(
        what,
        format!(
            "{near}a lab is LESSON/LAB: `warpup progress` lists the lessons, `warpup run LESSON` the labs of one"
        ),
    )
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
    let nearest = nearest(name, known.iter().copied());
    let list = match known {
        [] => "there is none".to_owned(),
        known => format!("there are {}", known.join(", ")),
    };
    let hint = match nearest {
        Some(nearest) => format!("did you mean `{nearest}`? {list}"),
        None => list,
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
    fn an_unknown_name_is_answered_with_the_nearest_and_all_there_are() {
        let course = sample::course();
        insta::assert_snapshot!(refusal(&lesson(&course, "copis").unwrap_err()), @r"
        error: there is no lesson `copis`
        hint: did you mean `copies`? there are copies
        ");
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
        insta::assert_snapshot!(hint("copis"), @"hint: did you mean `copies`? a lab is LESSON/LAB: `warpup progress` lists the lessons, `warpup run LESSON` the labs of one");
        insta::assert_snapshot!(hint("xyzzy"), @"hint: a lab is LESSON/LAB: `warpup progress` lists the lessons, `warpup run LESSON` the labs of one");
    }
}
