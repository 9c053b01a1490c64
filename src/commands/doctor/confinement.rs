//! What a lab's process can do on this machine, as a sentence.

use warpup_lab::units::count;
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
    let tried = format!(
        "A process like theirs tried {} that a lab must not do, such as to read a file or to connect to a network.",
        count(attempts.len(), "thing", "things")
    );
    if can.is_empty() && unclear.is_empty() {
        return format!(
            "Labs on the CPU and on modelled cards cannot touch your files, your network or your other programs. {tried} The system refused all of them."
        );
    }
    let mut parts = vec![format!(
        "Labs on the CPU and on modelled cards are not wholly confined here. {tried}"
    )];
    if !can.is_empty() {
        parts.push(format!(
            "It can {}. Run only labs whose author you trust.",
            can.join(", ")
        ));
    }
    if !unclear.is_empty() {
        parts.push(format!(
            "It is not known whether it can {}.",
            unclear.join(", ")
        ));
    }
    parts.push("The system refused the rest.".to_owned());
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
        insta::assert_snapshot!(sentence(&attempts), @"Labs on the CPU and on modelled cards cannot touch your files, your network or your other programs. A process like theirs tried 36 things that a lab must not do, such as to read a file or to connect to a network. The system refused all of them.");
        attempts[0].came = AttemptResult::Worked;
        attempts[8].came = AttemptResult::Failed("no such process".to_owned());
        insta::assert_snapshot!(sentence(&attempts), @"Labs on the CPU and on modelled cards are not wholly confined here. A process like theirs tried 36 things that a lab must not do, such as to read a file or to connect to a network. It can read a file. Run only labs whose author you trust. It is not known whether it can debug the app. The system refused the rest.");
        assert!(sentence(&[]).contains("not known"));
    }
}
