//! "Did you mean …?"

/// Words longer than this are not compared: nobody mistypes them, and comparing costs their product.
const MAX_WORD: usize = 64;

/// The known word that is nearest to the one written, if a third of it or less differs.
pub(crate) fn nearest<'k>(
    written: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> Option<&'k str> {
    let written: Vec<char> = written.to_lowercase().chars().take(MAX_WORD + 1).collect();
    if written.len() > MAX_WORD {
        return None;
    }
    let allowed = (written.len() / 3).max(1);
    known
        .into_iter()
        .filter(|it| it.len() <= MAX_WORD)
        .map(|it| (distance(&written, it), it))
        .filter(|(far, _)| *far <= allowed)
        .min()
        .map(|(_, it)| it)
}

/// How many characters have to be added, removed, changed or swapped with their neighbour.
fn distance(written: &[char], known: &str) -> usize {
    let mut older: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=written.len()).collect();
    let mut before = None;
    for (row, letter) in known.chars().enumerate() {
        let mut here = vec![row + 1];
        for (column, other) in written.iter().enumerate() {
            let at =
                |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX / 2);
            let mut best = (at(&above, column) + usize::from(letter != *other))
                .min(at(&above, column + 1) + 1)
                .min(at(&here, column) + 1);
            let left = column.checked_sub(1).and_then(|it| written.get(it));
            if left == Some(&letter) && before == Some(*other) {
                best = best.min(at(&older, column - 1) + 1);
            }
            here.push(best);
        }
        before = Some(letter);
        older = std::mem::replace(&mut above, here);
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_mistakes_are_found_and_other_words_are_not() {
        let known = ["title", "summary", "minutes", "id"];
        assert_eq!(nearest("titel", known), Some("title"));
        assert_eq!(nearest("sumary", known), Some("summary"));
        assert_eq!(nearest("Minute", known), Some("minutes"));
        assert_eq!(nearest("difficulty", known), None);
        assert_eq!(nearest("di", known), Some("id"));
        assert_eq!(nearest("", known), None);
    }
}
