//! Numbers with their nouns.

/// A number with its noun: `1 lesson`, `2 lessons`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{number} {noun}")
}
