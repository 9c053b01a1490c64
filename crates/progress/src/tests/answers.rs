//! Answers of quizzes: what their records say, and which of them are the newest.

use super::*;
use warpup_grade::Confidence;

#[test]
fn an_answer_of_an_older_version_says_nothing_of_confidence_and_asks_all() {
    let old = r#"{"id":"1","at_ms":5,"course":"c","kind":"answered","lesson":"copies","attempt":"a","question":"q-1","hash":"12345678","answer":{"single":"a"},"score":{"earned":0,"max":100}}"#;
    let read: Record = serde_json::from_str(old).unwrap();
    let mut new = answered(5, "a");
    assert_eq!(read.event, new.event);
    assert_eq!(serde_json::to_string(&read).unwrap(), old);
    if let Event::Answered {
        confidence, asks, ..
    } = &mut new.event
    {
        (*confidence, *asks) = (Some(Confidence::NotSure), QuestionSelection::Missed);
    }
    let line = serde_json::to_string(&new).unwrap();
    assert!(
        line.ends_with(r#""confidence":"not_sure","asks":"missed"}"#),
        "{line}"
    );
    assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), new);
}

#[test]
fn the_newest_answers_are_those_of_attempts_that_were_handed_in() {
    let answers = |records: Vec<Record>| {
        let answers = copies(records).answers;
        answers
            .into_values()
            .map(|it| it.score.unwrap().earned)
            .collect::<Vec<_>>()
    };
    let right = |at_ms, attempt| {
        let mut record = answered(at_ms, attempt);
        if let Event::Answered { score, .. } = &mut record.event {
            score.as_mut().unwrap().earned = 100;
        }
        record
    };
    assert_eq!(answers(vec![answered(1, "a")]), [0; 0]);
    assert_eq!(answers(vec![answered(1, "a"), attempted(2, "a", 0)]), [0]);
    let both = || vec![answered(1, "a"), attempted(2, "a", 0), right(3, "b")];
    assert_eq!(answers(both()), [0]);
    let mut done = both();
    done.push(attempted(4, "b", 100));
    assert_eq!(answers(done), [100]);
}
