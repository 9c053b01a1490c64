//! The languages that a course is written in and translated into.

use std::fmt;

/// Languages as people call them.
const NAMES: [(&str, &[&str]); 13] = [
    ("en", &["english", "eng"]),
    ("de", &["german", "deutsch", "ger", "deu"]),
    ("fr", &["french", "français", "francais", "fra"]),
    ("es", &["spanish", "español", "espanol", "spa"]),
    ("it", &["italian", "italiano", "ita"]),
    ("pt", &["portuguese", "português", "portugues", "por"]),
    ("nl", &["dutch", "nederlands", "nld"]),
    ("pl", &["polish", "polski", "pol"]),
    ("uk", &["ukrainian", "ukr"]),
    ("ru", &["russian", "rus"]),
    ("zh", &["chinese", "zho"]),
    ("ja", &["japanese", "jpn"]),
    ("ko", &["korean", "kor"]),
];

/// The code of a language: two small letters as in ISO 639-1, and a region or a script where it takes one, as in `de`, `pt-BR`
/// and `zh-Hans`. Folders of translations have such names; folders with other names are not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(String);

impl Language {
    /// The language of a code; nothing for any other text.
    pub fn new(code: &str) -> Option<Self> {
        let (language, rest) = match code.split_once('-') {
            Some((language, rest)) => (language, Some(rest)),
            None => (code, None),
        };
        let is_language = language.len() == 2 && language.bytes().all(|it| it.is_ascii_lowercase());
        let is_rest = |it: &str| {
            let is_region = it.len() == 2 && it.bytes().all(|it| it.is_ascii_uppercase());
            let is_number = it.len() == 3 && it.bytes().all(|it| it.is_ascii_digit());
            let (first, others) = it.split_at_checked(1).unwrap_or(("", ""));
            let is_script = others.len() == 3
                && first.bytes().all(|it| it.is_ascii_uppercase())
                && others.bytes().all(|it| it.is_ascii_lowercase());
            is_region || is_number || is_script
        };
        (is_language && rest.is_none_or(is_rest)).then(|| Self(code.to_owned()))
    }

    /// The language of a locale, such as `de_DE.UTF-8`; nothing for `C`, `POSIX` and what names none.
    pub fn of_locale(locale: &str) -> Option<Self> {
        let code = locale.split(['.', '@']).next()?;
        let (language, rest) = match code.split_once(['_', '-']) {
            Some((language, rest)) => (language, Some(rest)),
            None => (code, None),
        };
        let language = language.to_lowercase();
        Self::new(&match rest {
            Some(region) if region.len() < 4 => format!("{language}-{}", region.to_uppercase()),
            Some(script) => {
                let (first, others) = script.split_at_checked(1)?;
                format!(
                    "{language}-{}{}",
                    first.to_uppercase(),
                    others.to_lowercase()
                )
            }
            None => language,
        })
    }

    /// The language that a word is meant to be, which is its name or a locale: `german`, `de_DE`.
    pub(crate) fn meant(word: &str) -> Option<Self> {
        let lower = word.to_lowercase();
        let named = NAMES.iter().find(|it| it.1.contains(&lower.as_str()));
        match named {
            Some((code, _)) => Self::new(code),
            None => Self::of_locale(word),
        }
    }

    /// The language of a translation that a file belongs to; nothing for a file of the original, such as `lessons/copies.md`.
    pub fn of_path(path: &str) -> Option<Self> {
        Self::new(path.split_once('/')?.1.split_once('/')?.0)
    }

    /// The code.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The language without region and script.
    fn alone(&self) -> &str {
        self.0.split('-').next().unwrap_or_default()
    }

    /// The one among these that a reader of this language reads best: the same, else the same without a region, else the same
    /// with another one.
    pub fn nearest<'a>(&self, all: impl IntoIterator<Item = &'a Self>) -> Option<&'a Self> {
        let near = all.into_iter().filter(|it| it.alone() == self.alone());
        near.min_by_key(|it| (*it != self, it.0.len()))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(codes: &[&str]) -> Vec<Language> {
        codes.iter().map(|it| Language::new(it).unwrap()).collect()
    }

    #[test]
    fn codes_are_languages_and_other_names_are_not() {
        assert_eq!(all(&["de", "pt-BR", "zh-Hans", "es-419"]).len(), 4);
        for other in [
            "",
            "d",
            "old",
            "DE",
            "de-",
            "de-de",
            "de_DE",
            "../de",
            "dé",
            "de-Hansé",
        ] {
            assert_eq!(Language::new(other), None, "{other}");
        }
    }

    #[test]
    fn a_locale_names_its_language() {
        let of = |it| Language::of_locale(it).map(|it| it.to_string());
        assert_eq!(of("de_DE.UTF-8").as_deref(), Some("de-DE"));
        assert_eq!(of("fr@euro").as_deref(), Some("fr"));
        assert_eq!(of("DE").as_deref(), Some("de"));
        assert_eq!(of("PT-br").as_deref(), Some("pt-BR"));
        assert_eq!(of("zh-hans").as_deref(), Some("zh-Hans"));
        assert_eq!(
            [of("C"), of("POSIX"), of("C.UTF-8"), of("")],
            [None, None, None, None]
        );
    }

    #[test]
    fn a_word_is_meant_to_be_a_language() {
        let meant = |it| Language::meant(it).map(|it| it.to_string());
        assert_eq!(meant("English").as_deref(), Some("en"));
        assert_eq!(meant("en_US").as_deref(), Some("en-US"));
        assert_eq!(meant("klingon"), None);
    }

    #[test]
    fn the_nearest_language_is_the_same_one_if_it_is_there() {
        let near = |to: &str, codes: &[&str]| {
            let to = Language::new(to).unwrap();
            to.nearest(&all(codes)).map(ToString::to_string)
        };
        assert_eq!(near("pt-BR", &["pt", "pt-BR"]).as_deref(), Some("pt-BR"));
        assert_eq!(near("de-AT", &["de-CH", "de"]).as_deref(), Some("de"));
        assert_eq!(near("de", &["de-CH", "fr"]).as_deref(), Some("de-CH"));
        assert_eq!(near("it", &["de", "fr"]), None);
    }
}
