//! The host memory that the program of a lab may use: the usual limit, or what its author asks for.

use super::units;
use warpup_course::{Lab, Lesson};
use warpup_protocol::LAB_MEMORY;

/// The bytes that the program of this lab may use.
pub fn of_lab(lab: &Lab) -> u64 {
    lab.memory.unwrap_or(LAB_MEMORY)
}

/// What somebody should know before the labs of these lessons run, if one asks for more than is usual.
pub fn more_than_usual<'a>(lessons: impl IntoIterator<Item = &'a Lesson>) -> Option<String> {
    let labs = lessons.into_iter().flat_map(|it| &it.labs);
    let most = labs.map(of_lab).max().filter(|it| *it > LAB_MEMORY)?;
    Some(format!(
        "Labs of this course may use up to {} of memory; the usual limit is {}.",
        units::bytes(most),
        units::bytes(LAB_MEMORY)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_course::sample;

    #[test]
    fn only_more_than_the_usual_memory_is_worth_a_word() {
        let mut course = sample::course();
        assert_eq!(more_than_usual(&course.lessons), None);
        let lessons = course.lessons.iter_mut();
        let mut labs = lessons.flat_map(|it| it.labs.iter_mut());
        labs.next().unwrap().memory = Some(8 << 30);
        labs.next().unwrap().memory = Some(64 << 20);
        insta::assert_snapshot!(more_than_usual(&course.lessons).unwrap(), @"Labs of this course may use up to 8.00 GiB of memory; the usual limit is 1.00 GiB.");
    }
}
