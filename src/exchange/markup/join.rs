//! Texts after one another.

/// These texts as one.
pub(crate) fn joined(texts: impl IntoIterator<Item = String>) -> String {
    let mut all = String::new();
    for text in texts {
        all.push_str(&text);
    }
    all
}
