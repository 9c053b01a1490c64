//! The rules of the fold, on records written by hand.

use super::*;
use std::collections::BTreeSet;
use warpup_course::{ChoiceId, CourseId, LabId, LessonId, PageId, QuestionId};
use warpup_grade::{Answer, Score};
use warpup_protocol::{Clock, Metric};

mod answers;
mod any;
mod newer;

fn course() -> CourseId {
    CourseId::new("warpup")
}

fn lesson(name: &str) -> LessonId {
    LessonId::new(name)
}

fn record(at_ms: u64, event: Event) -> Record {
    Record {
        id: format!("id-{at_ms:04}"),
        at_ms,
        course: "warpup".to_owned(),
        event,
    }
}

fn read(at_ms: u64, page: &str) -> Record {
    let event = Event::Read {
        lesson: lesson("copies"),
        page: PageId::new(page),
    };
    record(at_ms, event)
}

fn ran(at_ms: u64, passed: bool) -> Record {
    let event = Event::Ran {
        lesson: lesson("copies"),
        lab: LabId::new("bus"),
        device: "cpu".to_owned(),
        passed,
        on: None,
        metrics: Vec::new(),
        unmet: None,
    };
    record(at_ms, event)
}

fn answered(at_ms: u64, attempt: &str) -> Record {
    let event = Event::Answered {
        lesson: lesson("copies"),
        attempt: attempt.to_owned(),
        question: QuestionId::new("q-1"),
        hash: "12345678".to_owned(),
        answer: Answer::Single(ChoiceId::new("a")),
        score: Some(Score {
            earned: 0,
            max: 100,
        }),
        confidence: None,
        asks: QuestionSelection::All,
        drawn: Vec::new(),
    };
    record(at_ms, event)
}

fn attempted(at_ms: u64, attempt: &str, earned: u64) -> Record {
    let event = Event::Attempted {
        lesson: lesson("copies"),
        attempt: attempt.to_owned(),
        score: Score { earned, max: 400 },
        above_percent: 75,
        passed: earned > 300,
        took_ms: 1,
        missed: Vec::new(),
        drawn: Vec::new(),
    };
    record(at_ms, event)
}

fn explained(at_ms: u64, text: &str, said: &[usize]) -> Record {
    let event = Event::Explained {
        lesson: lesson("copies"),
        question: QuestionId::new("q-why"),
        hash: "12345678".to_owned(),
        text: text.to_owned(),
        said: said.iter().copied().collect(),
    };
    record(at_ms, event)
}

fn reset(at_ms: u64, lesson: Option<&str>) -> Record {
    let event = Event::Reset {
        lesson: lesson.map(LessonId::new),
    };
    record(at_ms, event)
}

fn fold(records: impl IntoIterator<Item = Record>) -> Progress {
    Progress::from_records(records, &course())
}

fn copies(records: impl IntoIterator<Item = Record>) -> LessonProgress {
    fold(records).lesson(&lesson("copies")).clone()
}

#[test]
fn nothing_is_known_of_an_untouched_lesson() {
    let progress = copies([]);
    assert!(!progress.is_begun());
    assert!(!progress.is_done());
    assert_eq!(progress.best(), None);
    assert_eq!(*progress.lab(&LabId::new("bus")), LabProgress::default());
}

#[test]
fn reading_goes_on_at_the_page_read_last_whatever_the_order_of_the_logs() {
    let progress = fold([read(3, "waiting"), read(1, "start"), read(2, "bus")]);
    let place = (lesson("copies"), PageId::new("waiting"));
    assert_eq!(progress.place(), Some(place));
}

#[test]
fn a_pass_stays_when_a_later_attempt_fails() {
    let progress = copies([attempted(1, "a", 400), attempted(2, "b", 100)]);
    assert!(progress.is_done());
    assert!(progress.first_try());
    assert_eq!(progress.best().unwrap().attempt, "a");
    assert_eq!(progress.latest().unwrap().attempt, "b");
}

#[test]
fn a_passed_lab_stays_passed() {
    let lab = copies([ran(1, true), ran(2, false)]).labs[&LabId::new("bus")].clone();
    assert!(lab.newest.is_some() && lab.has_passed());
}

/// A run that gave these metrics.
/// The learner's program of the lab, or the starter.
fn edited(at_ms: u64, source: Option<&str>) -> Record {
    let event = Event::Edited {
        lesson: lesson("copies"),
        lab: LabId::new("bus"),
        source: source.map(str::to_owned),
    };
    record(at_ms, event)
}

#[test]
fn a_program_is_edited_since_its_pass_only_if_it_is_another_one() {
    let is_edited = |records: &[Record]| {
        let forward = Progress::from_records(records.to_vec(), &course());
        let backward = Progress::from_records(records.iter().rev().cloned(), &course());
        assert_eq!(forward, backward);
        forward
            .lesson(&lesson("copies"))
            .lab(&LabId::new("bus"))
            .is_edited_since_pass
    };
    let own = || edited(1, Some("print(1)"));
    assert!(!is_edited(&[own(), ran(2, true)]));
    assert!(is_edited(&[
        own(),
        ran(2, true),
        edited(3, Some("print(2)"))
    ]));
    assert!(is_edited(&[own(), ran(2, true), edited(3, None)]));
    // Back to what passed, the starter or a program of one's own.
    let there_and_back = [
        own(),
        ran(2, true),
        edited(3, None),
        edited(4, Some("print(1)")),
    ];
    assert!(!is_edited(&there_and_back));
    assert!(!is_edited(&[
        ran(1, true),
        edited(2, Some("print(2)")),
        edited(3, None)
    ]));
    assert!(!is_edited(&[own(), ran(2, false), edited(3, None)]));
}

fn gave(at_ms: u64, passed: bool, names: &[&str]) -> Record {
    let metric = |name: &&str| Metric {
        name: (*name).to_owned(),
        value: at_ms as f64 / 2.0,
        unit: String::new(),
    };
    let event = Event::Ran {
        lesson: lesson("copies"),
        lab: LabId::new("bus"),
        device: "model:t4".to_owned(),
        passed,
        on: Some(RanOn {
            title: "Tesla T4 (modelled)".to_owned(),
            memory_bytes: Some(15_843_721_216),
            clock: Clock::Modelled,
        }),
        metrics: names.iter().map(metric).collect(),
        unmet: None,
    };
    record(at_ms, event)
}

#[test]
fn of_each_set_of_metrics_the_newest_passed_run_is_remembered() {
    let lab = copies([
        gave(5, false, &["a", "b"]),
        gave(3, true, &["a", "b"]),
        gave(4, true, &["a"]),
        gave(1, true, &["b", "a"]),
        ran(6, true),
    ])
    .labs[&LabId::new("bus")]
        .clone();
    let figures: Vec<_> = lab
        .figures
        .iter()
        .map(|it| (it.at_ms, it.metric("b")))
        .collect();
    assert_eq!(figures, [(4, None), (3, Some(1.5))]);
    assert_eq!(lab.newest.unwrap().device, "cpu");
}

#[test]
fn runs_are_read_as_older_versions_noted_them() {
    let old = r#"{"id":"id-0001","at_ms":1,"course":"warpup","kind":"ran","lesson":"copies","lab":"bus","device":"cpu","passed":true}"#;
    let record: Record = serde_json::from_str(old).unwrap();
    assert_eq!(record, ran(1, true));
    assert_eq!(serde_json::to_string(&record).unwrap(), old);
    let new = serde_json::to_string(&gave(2, true, &["a"])).unwrap();
    assert_eq!(
        serde_json::from_str::<Record>(&new).unwrap(),
        gave(2, true, &["a"])
    );
    insta::assert_snapshot!(new, @r#"
    {"id":"id-0002","at_ms":2,"course":"warpup","kind":"ran","lesson":"copies","lab":"bus","device":"model:t4","passed":true,"on":{"title":"Tesla T4 (modelled)","memory_bytes":15843721216,"clock":"modelled"},"metrics":[{"name":"a","value":1.0}]}
    "#);
}

#[test]
fn a_quiz_that_was_left_goes_on_until_it_is_handed_in() {
    assert_eq!(copies([answered(1, "a")]).open.unwrap().answers.len(), 1);
    assert_eq!(copies([answered(1, "a"), attempted(2, "a", 0)]).open, None);
}

#[test]
fn a_quiz_that_was_left_is_forgotten_once_a_later_one_is_handed_in() {
    let records = [answered(1, "a"), answered(2, "b"), attempted(3, "b", 0)];
    assert_eq!(copies(records).open, None);
}

#[test]
fn a_reset_hides_what_is_older_and_nothing_newer() {
    let records = [attempted(1, "a", 400), reset(2, None), ran(3, true)];
    let progress = copies(records);
    assert!(!progress.is_done());
    assert!(progress.lab(&LabId::new("bus")).has_passed());
}

#[test]
fn a_reset_of_one_lesson_leaves_the_others() {
    let records = [attempted(1, "a", 400), reset(2, Some("other"))];
    assert!(copies(records).is_done());
    let records = [attempted(1, "a", 400), reset(2, Some("copies"))];
    assert!(!copies(records).is_begun());
}

#[test]
fn records_of_another_course_do_not_count() {
    let mut foreign = attempted(1, "a", 400);
    foreign.course = "other".to_owned();
    assert!(!copies([foreign]).is_done());
}

#[test]
fn records_read_back_as_written() {
    for original in [
        read(1, "p"),
        ran(2, true),
        answered(3, "a"),
        reset(4, None),
        attempted(5, "a", 400),
        explained(6, "It waits.", &[0, 2]),
    ] {
        let text = serde_json::to_string(&original).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), original);
    }
}

#[test]
fn a_record_is_one_flat_object() {
    let text = serde_json::to_string(&read(1, "p")).unwrap();
    insta::assert_snapshot!(text, @r#"{"id":"id-0001","at_ms":1,"course":"warpup","kind":"read","lesson":"copies","page":"p"}"#);
}

#[test]
fn the_device_that_was_chosen_last_counts_for_each_kind_of_lab() {
    let chose = |at_ms, labs, device: &str| {
        let device = device.to_owned();
        record(at_ms, Event::Chose { labs, device })
    };
    let progress = fold([
        chose(3, Labs::Any, "cuda"),
        chose(1, Labs::Any, "cpu"),
        chose(2, Labs::Cards, "model:t4"),
    ]);
    assert_eq!(progress.device(Labs::Any), Some("cuda"));
    assert_eq!(progress.device(Labs::Cards), Some("model:t4"));
    assert_eq!(fold([]).device(Labs::Any), None);
    let text = serde_json::to_string(&chose(3, Labs::Any, "cuda")).unwrap();
    insta::assert_snapshot!(text, @r#"{"id":"id-0003","at_ms":3,"course":"warpup","kind":"chose","labs":"any","device":"cuda"}"#);
}

#[test]
fn the_newest_own_words_stand_and_empty_ones_take_them_back() {
    let words = |records: &[Record]| {
        let lesson = copies(records.iter().cloned());
        let known = lesson.explanations.get(&QuestionId::new("q-why")).cloned();
        known.map(|it| (it.text, it.said))
    };
    let first = explained(1, "It waits.", &[]);
    let ticked = explained(2, "It waits.", &[1]);
    let empty = explained(3, "", &[]);
    let all = [ticked, first, empty];
    assert_eq!(
        words(&all[1..2]),
        Some(("It waits.".to_owned(), BTreeSet::new()))
    );
    assert_eq!(
        words(&all[..2]),
        Some(("It waits.".to_owned(), BTreeSet::from([1])))
    );
    assert_eq!(words(&all), None);
    insta::assert_snapshot!(serde_json::to_string(&all[0]).unwrap(), @r#"
    {"id":"id-0002","at_ms":2,"course":"warpup","kind":"explained","lesson":"copies","question":"q-why","hash":"12345678","text":"It waits.","said":[1]}
    "#);
}
