//! What is left of a course without keys.

use super::*;
use warpup_course::{WithoutKey, sample};
use warpup_grade::{input, key};
use warpup_store::course::embedded;

/// The files of a course without keys, and what is said about it.
fn without(sources: &Sources) -> (Sources, Vec<String>) {
    let mut remarks = Remarks::default();
    let course = course::parse(sources).0;
    let sources = without_keys(&course, sources, &mut remarks).unwrap();
    let said = remarks.into_vec().into_iter();
    (
        sources,
        said.map(|it| format!("{}: {}", it.place, it.what))
            .collect(),
    )
}

/// The keys of all tables in a TOML file.
fn keys(value: &toml::Value, found: &mut BTreeSet<String>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                found.insert(key.clone());
                keys(value, found);
            }
        }
        toml::Value::Array(list) => list.iter().for_each(|it| keys(it, found)),
        toml::Value::String(_)
        | toml::Value::Integer(_)
        | toml::Value::Float(_)
        | toml::Value::Boolean(_)
        | toml::Value::Datetime(_) => {}
    }
}

/// All texts under one of these keys.
fn texts(value: &toml::Value, of: &[&str], found: &mut Vec<String>) {
    if let Some(table) = value.as_table() {
        for (key, value) in table {
            let text = value.as_str().filter(|_| of.contains(&key.as_str()));
            found.extend(text.map(|it| it.trim().to_owned()));
            texts(value, of, found);
        }
    }
    for value in value.as_array().into_iter().flatten() {
        texts(value, of, found);
    }
}

#[test]
fn the_shipped_course_without_keys_has_none() {
    let whole = embedded();
    let (sources, _) = without(&whole);
    let all: String = sources.files.values().map(AsRef::as_ref).collect();
    // A lesson may teach in the words of an explanation.
    let quizzes = sources
        .files
        .iter()
        .filter(|it| it.0.starts_with("quizzes/"));
    let quizzes: String = quizzes.map(|it| it.1.as_ref()).collect();
    let mut left = BTreeSet::new();
    for (file, text) in &sources.files {
        if file.starts_with("quizzes/") {
            keys(&toml::from_str(text).unwrap(), &mut left);
        }
    }
    let left: Vec<_> = left.iter().map(String::as_str).collect();
    insta::assert_snapshot!(left.join(" "), @"above_percent accepted ask bins format from hints id items keys lab left metric options pairs pass prompt question right see short text title to type unit version");
    for (file, text) in &whole.files {
        if file.starts_with("quizzes/") {
            let mut secret = Vec::new();
            let of = ["explain", "feedback"];
            texts(&toml::from_str(text).unwrap(), &of, &mut secret);
            assert!(!secret.is_empty(), "{file}");
            for secret in secret {
                assert!(!quizzes.contains(&secret), "{file}: {secret}");
            }
        }
    }
    let course = course::parse(&whole).0;
    let solved = course.lessons.iter().flat_map(|it| it.labs.iter());
    let solved: Vec<_> = solved.filter_map(|it| it.solution_program()).collect();
    assert!(!solved.is_empty());
    for program in solved {
        assert!(!all.contains(program.trim()), "{program}");
    }
}

#[test]
fn each_question_of_the_shipped_course_asks_the_same_and_means_the_same() {
    let whole = course::parse(&embedded()).0;
    let (sources, _) = without(&embedded());
    let (course, found) = course::parse(&sources);
    assert_eq!(found, []);
    let questions = |course: &Course| -> Vec<course::Question> {
        let quizzes = course.lessons.iter().filter_map(|it| it.quiz.as_ref());
        quizzes.flat_map(|it| it.questions.clone()).collect()
    };
    let packed = questions(&course);
    for question in questions(&whole) {
        let Some(without) = WithoutKey::of(&question.kind) else {
            continue;
        };
        let same = packed.iter().find(|it| {
            it.id == question.id && it.hash == *question.hash_without_key.as_ref().unwrap()
        });
        let same = same.unwrap();
        assert_eq!(same.kind, without.kind);
        let prompt =
            |it: &course::Question| course::plain::blocks(&it.prompt, 80).as_str().to_owned();
        assert_eq!(prompt(same), prompt(&question));
        assert_eq!(same.hints, question.hints);
        assert_eq!(key(same, None), None);
        // Each row of the packed question is one of the whole one, with the same text.
        for row in input(same).rows {
            let answer = course::Answer::Single(row.id.clone());
            let Some(course::Answer::Single(name)) = without.in_whole(&answer) else {
                panic!("{}", question.id);
            };
            let known = input(&question).rows;
            assert_eq!(
                known.iter().find(|it| *it.id == name).unwrap().text,
                row.text
            );
        }
    }
}

#[test]
fn names_and_places_say_nothing() {
    let question = sample::question(
        "id = \"q\"\ntype = \"match\"\npairs = [{ id = \"one\", left = \"L1\", right = \"z\" }, { id = \"two\", left = \"L2\", right = \"a\" }]",
    );
    let other = sample::question(
        "id = \"q\"\ntype = \"match\"\npairs = [{ id = \"x\", left = \"L1\", right = \"a\" }, { id = \"y\", left = \"L2\", right = \"z\" }]",
    );
    // Another key, and nothing that learners get tells.
    assert_ne!(question.hash, other.hash);
    assert_eq!(question.hash_without_key, other.hash_without_key);
    let order = |items: &str| {
        let question =
            sample::question(&format!("id = \"q\"\ntype = \"order\"\nitems = [{items}]"));
        question.hash_without_key
    };
    let (a, b) = (
        "{ id = \"first\", text = \"A\" }",
        "{ id = \"last\", text = \"B\" }",
    );
    assert_eq!(order(&format!("{a}, {b}")), order(&format!("{b}, {a}")));
}

#[test]
fn a_quiz_without_keys_is_written_with_what_learners_read() {
    let mut whole = sample::sources();
    let quiz = "format = 1\nid = \"copies\"\ntitle = \"Copies\"\n# The answer is b.\n\n\
        [[question]]\nid = \"q-one\"\ntype = \"single\"\nprompt = \"Which?\"\nexplain = \"Secret.\"\nhints = [\"Look.\"]\n\
        options = [{ id = \"right\", text = \"Two\", correct = true }, { id = \"no\", text = \"One\", feedback = \"Secret.\" }, { id = \"none\", text = \"None\", pin = \"last\", feedback = \"Secret.\" }]\n\n\
        [[question]]\nid = \"q-sum\"\ntype = \"numeric\"\nprompt = \"{a} + 1 in ms?\"\nexplain = \"{answer}\"\n\
        draw = { a = [1, 2] }\nanswer = \"a + 1\"\nunit = \"ms\"\nhints = [\"More than {a}.\"]\n\n\
        [[question]]\nid = \"q-word\"\ntype = \"text\"\nprompt = \"Which \\\"word\\\"?\\n\\nOne of two.\"\nexplain = \"Secret.\"\naccept = [\"secret\"]\n\n\
        [[question]]\nid = \"q-why\"\ntype = \"words\"\nprompt = \"Why?\"\nexplain = \"Secret.\"\nparts = [\"Secret.\", \"So.\"]\n";
    whole
        .files
        .insert("quizzes/copies.toml".to_owned(), quiz.into());
    let (sources, said) = without(&whole);
    insta::assert_snapshot!(said.join("\n"), @"copies/q-why: a question for the learner's own words is nothing without its explanation: left out");
    insta::assert_snapshot!(sources.files["quizzes/copies.toml"], @r#"
    format = 1
    id = "copies"
    title = "Copies"
    pass = { above_percent = 75 }
    keys = false

    [[question]]
    id = "q-one"
    type = "single"
    prompt = "Which?"
    hints = ["Look."]
    options = [
      { id = "c1", text = "One" },
      { id = "c2", text = "Two" },
      { id = "c3", text = "None", pin = "last" },
    ]

    [[question]]
    id = "q-sum"
    type = "numeric"

    [[question.version]]
    prompt = "1 + 1 in ms?"
    hints = ["More than 1."]
    unit = "ms"

    [[question.version]]
    prompt = "2 + 1 in ms?"
    hints = ["More than 2."]
    unit = "ms"

    [[question]]
    id = "q-word"
    type = "text"
    prompt = """
    Which "word"?

    One of two."""
    "#);
}

#[test]
fn solutions_and_notes_are_left_out_and_all_else_stays() {
    let lesson = "+++\nformat = 1\n+++\n\nText.\n\n````text\n```python solution=a\nshown\n```\n````\n\n\
        <details><summary>Answer</summary>\n\nYes.\n\n</details>\n\n\
        > ~~~python solution=b file=labs/b.py\n> secret\n> ~~~\n\n\
        <details>\n<summary>Instructor: ask</summary>\n\n<details><summary>More</summary>\n\nx\n\n</details>\n\n```text\n</details>\n```\n\nsecret\n\n</details>\nEnd.\n";
    insta::assert_snapshot!(lesson::without_keys(lesson), @"
    +++
    format = 1
    +++

    Text.

    ````text
    ```python solution=a
    shown
    ```
    ````

    <details><summary>Answer</summary>

    Yes.

    </details>

    > ~~~python solution=b withheld
    > ~~~

    End.
    ");
}

#[test]
fn files_that_no_lesson_uses_are_left_out() {
    let mut whole = sample::sources();
    let draft = "+++\nformat = 1\n+++\n".to_owned();
    whole
        .files
        .insert("lessons/draft.md".to_owned(), draft.into());
    whole
        .files
        .insert("quizzes/old.toml".to_owned(), "answer = 1\n".into());
    let (sources, said) = without(&whole);
    assert_eq!(sources.files.len(), sample::sources().files.len());
    insta::assert_snapshot!(said.join("\n"), @"lessons/draft.md, quizzes/old.toml: no lesson uses this file, or it is a solution: left out");
}

#[test]
fn a_note_that_is_not_left_out_whole_or_takes_more_with_it_is_refused() {
    let note = |text: &str| {
        format!("\n<details><summary>Instructor: x</summary>\n\n{text}\n\n</details>\n\nMore.\n")
    };
    let refused = |text: &str| {
        let mut sources = sample::sources();
        let file = "lessons/copies.md".to_owned();
        let lesson = format!("{}{text}", sources.files[&file]);
        sources.files.insert(file, lesson.into());
        let (course, found) = course::parse(&sources);
        assert!(
            found.iter().all(|it| it.severity != Severity::Error),
            "{found:?}"
        );
        let without = without_keys(&course, &sources, &mut Remarks::default());
        without.err().map_or(String::new(), |it| it.to_string())
    };
    assert_eq!(refused(&note("A secret.")), "");
    for text in [
        note("Write `</details>` here.\n\nA secret."),
        note("Say \\</details> here.\n\nA secret."),
        note("Write `<details>` here."),
        note("A secret.").replace("</details>\n\n", "</details> "),
    ] {
        assert_eq!(
            refused(&text),
            "copies: the page `the-bus` would have another text",
            "{text}"
        );
    }
}
