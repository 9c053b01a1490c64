//! What authors mean by a key that a file does not have there.

use toml::de::{DeInteger, DeTable};

/// Other words for a key, as other formats and other people have them.
const OTHER_WORDS: [(&str, &[&str]); 24] = [
    (
        "options",
        &[
            "choices",
            "answers",
            "alternatives",
            "option",
            "choice",
            "distractors",
        ],
    ),
    (
        "prompt",
        &["question", "text", "stem", "body", "description", "ask"],
    ),
    (
        "explain",
        &[
            "explanation",
            "rationale",
            "why",
            "reason",
            "comment",
            "feedback",
        ],
    ),
    ("minutes", &["duration", "time", "length", "mins"]),
    ("title", &["name", "heading"]),
    ("summary", &["description", "abstract", "subtitle", "about"]),
    (
        "objectives",
        &[
            "goals",
            "outcomes",
            "learning_objectives",
            "aims",
            "learning-objectives",
        ],
    ),
    ("requires", &["prerequisites", "depends", "needs", "after"]),
    (
        "above_percent",
        &[
            "percent",
            "percentage",
            "above",
            "threshold",
            "min_percent",
            "pass",
        ],
    ),
    (
        "answer",
        &["correct", "solution", "right", "key", "result", "value"],
    ),
    (
        "accept",
        &[
            "answer",
            "answers",
            "accepted",
            "correct",
            "solutions",
            "solution",
        ],
    ),
    (
        "correct",
        &["right", "is_correct", "true", "ok", "answer", "iscorrect"],
    ),
    (
        "left",
        &["from", "term", "a", "key", "question", "prompt", "source"],
    ),
    (
        "right",
        &[
            "to",
            "definition",
            "b",
            "value",
            "answer",
            "match",
            "target",
        ],
    ),
    (
        "text",
        &["label", "option", "answer", "title", "name", "content"],
    ),
    (
        "feedback",
        &[
            "comment",
            "hint",
            "why",
            "explain",
            "explanation",
            "message",
            "text",
        ],
    ),
    (
        "items",
        &["steps", "options", "order", "choices", "entries"],
    ),
    ("pairs", &["matches", "match", "options", "items"]),
    (
        "parts",
        &["points", "answer", "model", "criteria", "keywords"],
    ),
    ("rel", &["relative", "share"]),
    ("abs", &["absolute", "plus_minus", "delta", "margin"]),
    ("see", &["page", "link", "ref", "reference", "read"]),
    ("from", &["min", "low", "lower", "start"]),
    ("to", &["max", "high", "upper", "end"]),
];

/// Whether a key is another word for the known one.
pub(super) fn is_meant(written: &str, known: &str) -> bool {
    let written = written.to_lowercase();
    OTHER_WORDS
        .iter()
        .any(|(word, others)| *word == known && others.contains(&written.as_str()))
}

/// Where a key belongs that the table of a `what` does not have, if that is clear.
pub(super) fn elsewhere(what: &str, key: &str, table: &DeTable<'_>) -> Option<String> {
    let of_question = what.ends_with("question");
    let is_choice = ["single question", "multi question", "predict question"].contains(&what);
    Some(match key {
        "answer" | "answers" | "correct" | "right" | "solution" if is_choice => {
            let right = option_meant(table, key).map(|it| format!("the option `{it}`"));
            let right = right.unwrap_or_else(|| "each right option".to_owned());
            format!("leave it out, and write `correct = true` into {right}")
        }
        "tolerance" if what == "predict question" => {
            "write `within_factor = 1.5`: a predicted number is right if it is at most so many times too large or too small; options have `bins`".to_owned()
        }
        "feedback" | "comment" if of_question => {
            "write what is wrong with an option into that option, as its `feedback`, and what holds for all of them into `explain`".to_owned()
        }
        "tolerance" | "unit" | "accepted" if of_question => {
            format!("only a question with `type = \"numeric\"` has `{key}`")
        }
        "fraction" | "weight" | "points" | "score" | "grade" | "credit" if what == "option" => {
            "leave it out, and write `correct = true` into each right option; `partial = true` in a multi question gives a part of its points".to_owned()
        }
        "ask" | "keys" | "pass" if of_question => {
            format!("write `{key}` at the top of the quiz, in front of the first `[[question]]`")
        }
        "lessons" | "title" | "summary" | "id" if what == "pass" || what == "policy" => format!(
            "a line `[{what}]` begins a table to which all lines below it belong: put it at the end of the file"
        ),
        "percent" | "pct" if what == "tolerance" => {
            "write a share of the answer: `tolerance = { rel = 0.02 }` is 2 %".to_owned()
        }
        "questions" | "Question" | "Questions" if what == "quiz" => return None,
        "version" | "versions" if what == "quiz" => "write `[[question.version]]`".to_owned(),
        _ if what == "quiz" && ["quiz", "q", "item", "items"].contains(&key) => {
            "a question begins with a line `[[question]]`".to_owned()
        }
        "lang" | "language" if what == "lesson" => {
            "leave it out: the folder of a translation says its language, and `language` in `course.toml` that of the course".to_owned()
        }
        _ if what == "quiz" && is_list_of_tables(table, key) => {
            "a question begins with a line `[[question]]`, in all languages".to_owned()
        }
        "difficulty" | "tags" | "author" | "date" | "category" => {
            "leave it out, or write it behind `#`: there is no such key".to_owned()
        }
        _ => return None,
    })
}

/// Whether the value of a key is what lines such as `[[key]]` make.
fn is_list_of_tables(table: &DeTable<'_>, key: &str) -> bool {
    let list = table.get(key).and_then(|it| it.get_ref().as_array());
    list.and_then(|it| it.first())
        .is_some_and(|it| it.get_ref().is_table())
}

/// What to write where a key is missing, if the other keys of the table show that another type is meant.
pub(super) fn other_type(what: &str, key: &str, table: &DeTable<'_>) -> Option<String> {
    let types = [
        ("options", "single"),
        ("items", "order"),
        ("pairs", "match"),
        ("parts", "words"),
    ];
    if key == "type" && what == "question" {
        let types = [
            ("lab", "predict"),
            ("accept", "text"),
            ("parts", "words"),
            ("pairs", "match"),
            ("items", "order"),
            ("answer", "numeric"),
        ];
        let meant = types.into_iter().find(|it| table.contains_key(it.0))?;
        return Some(format!("write `type = \"{}\"`", meant.1));
    }
    let is_key = [
        "answer", "accept", "options", "items", "pairs", "parts", "lab",
    ]
    .contains(&key);
    let (has, kind) = types.into_iter().find(|it| {
        is_key && what.ends_with(" question") && it.0 != key && table.contains_key(it.0)
    })?;
    let kind = if kind == "single" {
        "`type = \"single\"` or `type = \"multi\"`".to_owned()
    } else {
        format!("`type = \"{kind}\"`")
    };
    Some(format!(
        "a question with `{has}` has {kind}; otherwise write `{}` in place of it",
        example(key)
    ))
}

/// The option that is named by its id, its letter, its number or its text.
fn option_meant<'a>(table: &'a DeTable<'_>, key: &str) -> Option<&'a str> {
    let value = table.get(key)?.get_ref();
    let number = value.as_integer().map(DeInteger::as_str);
    let written = value.as_str().or(number)?.trim().to_lowercase();
    let options = table.get("options")?.get_ref().as_array()?.iter();
    let mut options = (0..).zip(options.filter_map(|it| it.get_ref().as_table()));
    let has = |option: &DeTable<'_>, key: &str| {
        let value = option.get(key).and_then(|it| it.get_ref().as_str());
        value.is_some_and(|it| it.to_lowercase() == written)
    };
    let letter = |at: u8| char::from(b'a'.saturating_add(at)).to_string();
    let mut all = options.clone();
    let named = all.find(|it| has(it.1, "id") || has(it.1, "text"));
    let is_at = |at: u8| letter(at) == written || (u32::from(at) + 1).to_string() == written;
    let (_, option) = named.or_else(|| options.find(|it| is_at(it.0)))?;
    option.get("id")?.get_ref().as_str()
}

/// A key with a value of the form that it has.
pub(super) fn example(key: &str) -> &str {
    match key {
        "format" => "format = 1",
        "id" => "id = \"some-name\"",
        "type" => "type = \"single\"",
        "minutes" => "minutes = 20",
        "answer" => "answer = 24",
        "value" => "value = 24",
        "objectives" => "objectives = [\"Say where a tensor lives.\"]",
        "lessons" => "lessons = [\"first-lesson.md\"]",
        "requires" => "requires = [\"first-lesson\"]",
        "hints" => "hints = [\"Look at the device.\"]",
        "accept" => "accept = [\"a right answer\"]",
        "parts" => "parts = [\"First, …\", \"Then, …\"]",
        "options" => {
            "options = [{ id = \"a\", text = \"…\", correct = true }, { id = \"b\", text = \"…\" }]"
        }
        "items" => "items = [{ id = \"first\", text = \"…\" }, { id = \"second\", text = \"…\" }]",
        "pairs" => {
            "pairs = [{ id = \"a\", left = \"…\", right = \"…\" }, { id = \"b\", left = \"…\", right = \"…\" }]"
        }
        "bins" => {
            "bins = [{ id = \"low\", text = \"…\", to = 2 }, { id = \"high\", text = \"…\", from = 2 }]"
        }
        "near" => "near = [{ value = 12, feedback = \"…\" }]",
        "tolerance" => "tolerance = { rel = 0.02 }",
        "title" => "title = \"…\"",
        "summary" => "summary = \"One sentence.\"",
        "prompt" => "prompt = \"…?\"",
        "explain" => "explain = \"Why the right answer is right.\"",
        "text" => "text = \"…\"",
        "feedback" => "feedback = \"…\"",
        "left" => "left = \"…\"",
        "right" => "right = \"…\"",
        "lab" => "lab = \"the-id-of-a-lab\"",
        "metric" => "metric = \"host_ms\"",
        "above_percent" => "above_percent = 75",
        other => other,
    }
}
