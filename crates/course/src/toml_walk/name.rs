//! The form of names that progress and links hang on.

use crate::diagnostics::{Report, Rule};
use std::ops::Range;

/// Longer names are a mistake; they also become parts of file names and records.
const MAX_NAME: usize = 64;

/// Whether this is lower-case letters, digits and single `-`.
pub fn is_name(text: &str) -> bool {
    text.len() <= MAX_NAME
        && text.split('-').all(|part| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
        })
}

/// Reports a name of another form. `what` is whose name it is: `lesson`, `option`.
pub(crate) fn check(text: &str, what: &str, span: Range<usize>, report: &mut Report) -> bool {
    if is_name(text) {
        return true;
    }
    let hint = report.error(
        Rule::IdForm,
        span,
        format!("{what} id `{text}` is not made of lower-case letters, digits and single `-`"),
    );
    let slug = slug(&without_marks(text));
    if slug.is_empty() {
        hint.hint("write a name such as `first-copy`");
    } else {
        hint.fixed_by(text, &*slug).hint(format!("write `{slug}`"));
    }
    false
}

/// Letters with marks as those of English.
fn without_marks(text: &str) -> String {
    let plain = |letter: char| match letter {
        'ä' | 'Ä' | 'æ' => "ae",
        'ö' | 'Ö' | 'ø' | 'œ' => "oe",
        'ü' | 'Ü' => "ue",
        'ß' => "ss",
        'à' | 'á' | 'â' | 'ã' | 'å' => "a",
        'ç' | 'č' | 'ć' => "c",
        'è' | 'é' | 'ê' | 'ë' | 'É' => "e",
        'ì' | 'í' | 'î' | 'ï' => "i",
        'ñ' | 'ń' => "n",
        'ò' | 'ó' | 'ô' | 'õ' => "o",
        'š' | 'ś' => "s",
        'ù' | 'ú' | 'û' => "u",
        'ž' | 'ź' | 'ż' => "z",
        _ => "",
    };
    let mut all = String::new();
    for letter in text.chars() {
        match plain(letter) {
            "" => all.push(letter),
            letters => all.push_str(letters),
        }
    }
    all
}

/// The name a heading has by itself: its letters and digits in lower case, `-` for all else.
pub fn slug(text: &str) -> String {
    let mut slug = String::new();
    for letter in text.chars() {
        if slug.len() >= MAX_NAME {
            break;
        }
        if letter.is_ascii_alphanumeric() {
            slug.push(letter.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') && letter != '\'' && letter != '’' {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// A name in words, for titles: `put-it-there` is `Put it there`.
pub fn in_words(name: &str) -> String {
    let words = name.replace('-', " ");
    let mut letters = words.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lower_case_letters_digits_and_single_dashes() {
        for good in ["a", "q-1", "where-a-tensor-lives", "4bit"] {
            assert!(is_name(good), "{good}");
        }
        for bad in ["", "-a", "a-", "a--b", "A", "a_b", "ä", "a b"] {
            assert!(!is_name(bad), "{bad}");
        }
    }

    #[test]
    fn slugs_are_names_or_empty() {
        assert_eq!(slug("Why isn't it *here*?"), "why-isnt-it-here");
        assert_eq!(slug("CPU & GPU"), "cpu-gpu");
        assert_eq!(slug("漢字"), "");
        assert_eq!(in_words("put-it-there"), "Put it there");
    }
}
