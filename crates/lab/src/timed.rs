//! Which runs are timed: on a card that others use they would show other numbers, so they take turns there.
//!
//! A run is timed if its program or its check names a clock, or if a question compares the run's own time. Authors see
//! both in their files; `docs/course-format.md` has the rule.

use warpup_course::kinds::Prediction;
use warpup_course::{Lab, LabId, Lesson, QuestionKind, RunMetric};

/// What names a clock.
const CLOCKS: [&str; 7] = [
    "perf_counter",
    "elapsed_time",
    "monotonic",
    "process_time",
    "time.time",
    "timeit",
    "utils.benchmark",
];

/// Whether a program, or what runs after it, names a clock.
pub fn names_a_clock(source: &str, check: Option<&str>) -> bool {
    let names = |text: &str| CLOCKS.iter().any(|it| text.contains(it));
    names(source) || check.is_some_and(names)
}

/// Whether a run of this lab with this program is timed.
pub fn is_timed(lesson: &Lesson, lab: &Lab, source: &str) -> bool {
    names_a_clock(source, lab.check.as_deref()) || is_asked_for(lesson, &lab.id)
}

/// Whether a question of the lesson compares the time of a run of this lab.
fn is_asked_for(lesson: &Lesson, of: &LabId) -> bool {
    let mut questions = lesson.quiz.iter().flat_map(|it| &it.questions);
    questions.any(|question| {
        let QuestionKind::Predict(Prediction { lab, metric, .. }) = &question.kind else {
            return false;
        };
        match RunMetric::named(metric) {
            Some(RunMetric::HostMs | RunMetric::DeviceMs) => lab == of,
            Some(RunMetric::PeakMib) | None => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_course::sample;

    #[test]
    fn a_program_or_a_check_that_names_a_clock_is_timed() {
        let timed = |source, check| names_a_clock(source, check);
        assert!(timed("from time import perf_counter as now", None));
        assert!(timed("ms = begin.elapsed_time(end)", None));
        assert!(timed("x = 1", Some("began = time.time()")));
        assert!(!timed(
            "import time\nprint(x.sum())",
            Some("lab.check('ok', x.is_cuda)")
        ));
    }

    #[test]
    fn a_lab_whose_own_time_is_predicted_is_timed() {
        let course = sample::course();
        let lesson = course.lessons.first().unwrap();
        let timed = |lab: &Lab| is_timed(lesson, lab, "x = 1");
        let timed: Vec<_> = lesson.labs.iter().filter(|it| timed(it)).collect();
        let names: Vec<_> = timed.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(names, ["timing"]);
    }
}
