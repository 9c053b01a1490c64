//! What the learner reads about records that were kept in another folder.

use std::path::Path;

/// So many records are not where progress belongs but in this folder, and how to take them over.
pub fn kept(records: usize, folder: &Path) -> String {
    let (are, they_are, them) = match records {
        1 => ("record is", "it is", "it"),
        _ => ("records are", "they are", "them"),
    };
    format!(
        "{records} {are} not saved where progress belongs: {they_are} kept in {folder}; `warpup progress import {folder}` takes {them} over",
        folder = folder.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_record_is_one() {
        let folder = Path::new("/f");
        insta::assert_snapshot!(kept(1, folder), @"1 record is not saved where progress belongs: it is kept in /f; `warpup progress import /f` takes it over");
        insta::assert_snapshot!(kept(2, folder), @"2 records are not saved where progress belongs: they are kept in /f; `warpup progress import /f` takes them over");
    }
}
