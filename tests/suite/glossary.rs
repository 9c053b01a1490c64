//! Each word of the glossary is introduced in the lesson that the glossary names.
//!
//! The glossary is the last page of *The handoff*. A lesson introduces a word by printing it in bold,
//! outside of code. How well it explains the word is not tested.

use crate::support::lab_runner::shipped_course;
use crate::support::source;
use std::collections::BTreeMap;

/// An entry: `- **word**: what it means. *Title of the lesson*`.
struct Entry {
    word: String,
    lesson: String,
}

fn entries(text: &str) -> Vec<Entry> {
    let page = text.split_once("{#glossary}").unwrap().1;
    page.lines()
        .filter_map(|line| line.strip_prefix("- **"))
        .map(|line| {
            let (word, rest) = line.split_once("**: ").expect("a word, then what it means");
            let (_, lesson) = rest.split_once(". *").expect("the lesson at the end");
            Entry {
                word: word.to_owned(),
                lesson: lesson.trim_end_matches('*').to_owned(),
            }
        })
        .collect()
}

/// The words in bold outside of code and of the glossary, in lower case.
fn bold(text: &str) -> Vec<String> {
    let lesson = text.split("{#glossary}").next().unwrap();
    let prose: Vec<&str> = lesson.split("```").step_by(2).collect();
    let prose = prose.join("");
    prose
        .split("**")
        .skip(1)
        .step_by(2)
        .map(str::to_lowercase)
        .collect()
}

/// Whether a bold word is this entry, in the singular or the plural.
fn is_word(bold: &str, word: &str) -> bool {
    bold == word
        || bold.strip_suffix('s') == Some(word)
        || bold.strip_suffix("ies") == word.strip_suffix('y') && word.ends_with('y')
}

#[test]
fn each_word_of_the_glossary_is_introduced_where_it_says() {
    let files: BTreeMap<String, String> = source::files_under("lessons")
        .into_iter()
        .map(|file| (file.path, file.text))
        .collect();
    let lessons: BTreeMap<&str, &str> = shipped_course()
        .lessons
        .iter()
        .map(|lesson| (lesson.title.as_str(), lesson.file.as_str()))
        .collect();
    let mut wrong = Vec::new();
    for Entry { word, lesson } in entries(&files["lessons/the-handoff.md"]) {
        let introduced = lessons.get(lesson.as_str()).is_some_and(|file| {
            bold(&files[*file])
                .iter()
                .any(|it| is_word(it, &word.to_lowercase()))
        });
        if !introduced {
            wrong.push(format!("{word}: not in bold in {lesson}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_glossary_has_each_word_once_and_in_order() {
    let file = source::files_under("lessons/the-handoff.md");
    let words: Vec<String> = entries(&file[0].text)
        .into_iter()
        .map(|entry| entry.word.to_lowercase())
        .collect();
    let mut sorted = words.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(words, sorted);
}

#[test]
fn bold_words_of_code_and_of_the_glossary_do_not_introduce() {
    let text = "A **queue** is\n```python\n2 ** 3 ** 4\n```\n**Launches** and **copies**\n## Words {#glossary}\n- **host**: x. *Y*";
    let found = bold(text);
    assert_eq!(found, ["queue", "launches", "copies"]);
    assert!(is_word(&found[2], "copy") && is_word(&found[0], "queue"));
    assert!(!is_word(&found[1], "copy") && !is_word(&found[0], "que"));
}
