//! What a lab's process can do on this machine, as a sentence.

use warpup_protocol::{Attempt, AttemptResult};

/// The sentence for what came of all attempts.
pub(super) fn sentence(attempts: &[Attempt]) -> String {
    if attempts.is_empty() {
        return "What a lab's process can do here is not known: the process that tries it gave no answer.".to_owned();
    }
    let words = |is_meant: fn(&AttemptResult) -> bool| -> Vec<&str> {
        let meant = attempts.iter().filter(|it| is_meant(&it.came));
        meant.map(|it| it.what.words()).collect()
    };
    let can = words(|it| *it == AttemptResult::Worked);
    let unclear = words(|it| matches!(it, AttemptResult::Failed(_)));
    let count = attempts.len();
    let refused = count - can.len() - unclear.len();
    let mut parts = vec![format!(
        "Labs on the CPU and on modelled cards: a process like theirs tried {count} things, and the system refused {refused}."
    )];
    if !can.is_empty() {
        parts.push(format!("It can {}.", can.join(", ")));
    }
    if !unclear.is_empty() {
        parts.push(format!(
            "It is not known whether it can {}.",
            unclear.join(", ")
        ));
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::ForbiddenAction;

    #[test]
    fn what_a_lab_can_do_is_named() {
        let mut attempts: Vec<Attempt> = ForbiddenAction::ALL
            .map(|what| Attempt {
                what,
                came: AttemptResult::Refused,
            })
            .into();
        insta::assert_snapshot!(sentence(&attempts), @"Labs on the CPU and on modelled cards: a process like theirs tried 36 things, and the system refused 36.");
        attempts[0].came = AttemptResult::Worked;
        attempts[8].came = AttemptResult::Failed("no such process".to_owned());
        insta::assert_snapshot!(sentence(&attempts), @"Labs on the CPU and on modelled cards: a process like theirs tried 36 things, and the system refused 34. It can read a file. It is not known whether it can debug the app.");
        assert!(sentence(&[]).contains("not known"));
    }
}
