//! "Did you mean …?"

/// Words longer than this are not compared: nobody mistypes them, and comparing costs their product.
const MAX_WORD: usize = 64;

/// The known word that is nearest to the one written, if a third of it or less differs.
pub(crate) fn nearest<'k>(
    written: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> Option<&'k str> {
    let written = written.to_lowercase();
    let letters = written.chars().count();
    if letters > MAX_WORD {
        return None;
    }
    let allowed = (letters / 3).max(1);
    known
        .into_iter()
        .filter(|it| it.len() <= MAX_WORD)
        .map(|it| (strsim::osa_distance(&written, it), it))
        .filter(|(far, _)| *far <= allowed)
        .min()
        .map(|(_, it)| it)
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
