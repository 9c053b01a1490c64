//! The rules of the fold, on any records at all.

use super::*;
use proptest::prelude::*;
use warpup_grade::Confidence;

fn any_event() -> impl Strategy<Value = Event> {
    let small = |prefix: &'static str| (0..3u8).prop_map(move |n| format!("{prefix}{n}"));
    let lessons = small("lesson").prop_map(LessonId::new);
    (0..10u8, lessons, small("x"), small("attempt"), 0..5u64).prop_map(
        |(kind, lesson, name, attempt, points)| match kind {
            0 => Event::Read {
                lesson,
                page: PageId::new(name),
            },
            1 => Event::Edited {
                lesson,
                lab: LabId::new(name),
                source: (points > 0).then(|| format!("print({points})")),
            },
            2 => Event::Ran {
                lesson,
                lab: LabId::new(name),
                device: "cpu".to_owned(),
                passed: points > 2,
                on: None,
                metrics: Vec::new(),
                unmet: None,
            },
            3 => Event::Predicted {
                lesson,
                question: QuestionId::new(name),
                hash: "0".to_owned(),
                answer: Answer::Number(points.to_string()),
            },
            4 => Event::Answered {
                lesson,
                attempt,
                question: QuestionId::new(name),
                hash: "0".to_owned(),
                answer: Answer::Number(points.to_string()),
                score: Some(Score::default()),
                confidence: (points % 2 == 0).then_some(Confidence::Sure),
                asks: QuestionSelection::default(),
                drawn: Vec::new(),
            },
            5 => Event::Attempted {
                lesson,
                attempt,
                score: Score {
                    earned: points,
                    max: 4,
                },
                above_percent: 75,
                passed: points == 4,
                took_ms: 1,
                missed: Vec::new(),
                drawn: Vec::new(),
            },
            6 => Event::Chose {
                labs: if points > 2 { Labs::Any } else { Labs::Cards },
                device: name,
            },
            7 => Event::Explained {
                lesson,
                question: QuestionId::new(name),
                hash: "0".to_owned(),
                text: if points > 0 { "words" } else { "" }.to_owned(),
                said: (0..attempt.len()).collect(),
            },
            8 => Event::Left {
                lesson,
                page: PageId::new(name),
                at: ReadingPosition::in_block(attempt.len(), 0, 1),
            },
            _ => Event::Reset {
                lesson: (points > 1).then_some(lesson),
            },
        },
    )
}

/// Records whose times often collide, as those of two terminals do.
fn any_records() -> impl Strategy<Value = Vec<Record>> {
    let stamped = prop::collection::vec((0..12u64, any_event()), 0..24);
    stamped.prop_map(|events| {
        let numbered = events.into_iter().enumerate();
        numbered
            .map(|(n, (at_ms, event))| Record {
                id: format!("id-{n:02}"),
                at_ms,
                course: "warpup".to_owned(),
                event,
            })
            .collect()
    })
}

/// The records, and the same ones shuffled with some of them twice.
fn any_records_twice() -> impl Strategy<Value = (Vec<Record>, Vec<Record>)> {
    any_records().prop_flat_map(|records| {
        let twice = [records.clone(), records.clone()].concat();
        (Just(records), Just(twice).prop_shuffle())
    })
}

proptest! {
    #[test]
    fn order_and_repetition_change_nothing((records, shuffled) in any_records_twice()) {
        let whole = fold(records);
        let mut one_by_one = Progress::new(&course());
        for record in shuffled.iter().cloned() {
            one_by_one.apply(record);
        }
        prop_assert_eq!(&fold(shuffled), &whole);
        prop_assert_eq!(one_by_one, whole);
    }

    #[test]
    fn nothing_goes_backwards_without_a_reset(records in any_records(), next in any_event()) {
        prop_assume!(!matches!(next, Event::Reset { .. }));
        let before = fold(records);
        let mut after = before.clone();
        after.apply(record(6, next));
        for name in ["lesson0", "lesson1", "lesson2"] {
            let (before, after) = (before.lesson(&lesson(name)), after.lesson(&lesson(name)));
            prop_assert!(after.is_done() || !before.is_done());
            prop_assert!(after.attempts.len() >= before.attempts.len());
            let passed = |it: &LessonProgress| -> BTreeSet<LabId> {
                let passed = it.labs.iter().filter(|(_, lab)| lab.has_passed());
                passed.map(|(id, _)| id.clone()).collect()
            };
            prop_assert!(passed(after).is_superset(&passed(before)));
        }
    }

    #[test]
    fn a_reset_of_everything_leaves_only_what_is_newer(records in any_records()) {
        let newer = records.iter().filter(|it| it.at_ms > 6).cloned().collect::<Vec<_>>();
        // Sorts behind all the others, so that equal times are hidden.
        let reset = Record { id: "id-99".to_owned(), ..reset(6, None) };
        let whole = fold(records.into_iter().chain([reset.clone()]));
        let rest = fold(newer.into_iter().chain([reset]));
        prop_assert_eq!(whole, rest);
    }
}
