//! An order of choices that says nothing and is the same each time.

use super::choices::Choice;
use crate::model::QuestionId;

/// Where FNV-1a begins.
const START: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash FNV-1a of a text, from a seed on.
pub fn fnv1a(seed: u64, text: &str) -> u64 {
    text.bytes().fold(seed ^ START, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The choices of a question in another order.
pub(crate) fn mixed<'a>(question: &QuestionId, choices: &'a [Choice]) -> Vec<&'a Choice> {
    let mut mixed: Vec<&Choice> = choices.iter().collect();
    mixed.sort_by_key(|it| fnv1a(0, &format!("{question}/{}", it.id)));
    let is_same = mixed.iter().zip(choices).all(|(a, b)| a.id == b.id);
    if is_same {
        mixed.reverse();
    }
    mixed
}
