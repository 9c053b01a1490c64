//! The schemas say what the readers say.

mod validate;

use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;
use validate::{mistakes, objects};
use warpup_course::schema::{COURSE, LESSON, QUIZ};
use warpup_course::{Diagnostic, Severity, Sources, head_range, parse};
use warpup_store::course::embedded;

/// A schema with how to make a course of a file of its kind.
struct Of {
    schema: &'static str,
    course: fn(&str) -> Vec<(&'static str, String)>,
    /// A file with each kind of table in it.
    sample: &'static str,
}

const MANIFEST: &str = r#"
format = 1
id = "talk"
title = "A talk"
summary = "All in small."
pass = { above_percent = 75 }
policy = { seconds = 30, memory = "2GiB", threads = 2, drop = "/srv/inbox" }
lessons = ["one.md"]
"#;

const HEAD: &str = r#"
format = 1
id = "one"
title = "One"
summary = "One sentence."
minutes = 5
requires = []
objectives = ["Say it."]
quiz = "one.toml"
"#;

const QUESTIONS: &str = r##"
format = 1
id = "one"
title = "One"
pass = { above_percent = 75 }

[[question]]
id = "q-single"
type = "single"
prompt = "Which?"
points = 2
short = true
hints = ["Look."]
explain = "So."
see = "#start"
options = [{ id = "a", text = "A", correct = true, pin = "last" }, { id = "b", text = "B", feedback = "No." }]
shuffle = false

[[question]]
id = "q-multi"
type = "multi"
prompt = "Which?"
explain = "So."
options = [{ id = "a", text = "A", correct = true }, { id = "b", text = "B", feedback = "No." }]
partial = true

[[question]]
id = "q-numeric"
type = "numeric"
prompt = "How many?"
explain = "So."
answer = 12
tolerance = { rel = 0.02 }
unit = "MiB"
accepted = ["KiB"]
near = [{ value = 24, tolerance = { range = [23, 25] }, feedback = "Half." }]

[[question]]
id = "q-versions"
type = "numeric"
prompt = "How much is {n} and {n}?"
explain = "So."

[[question.version]]
n = 1
answer = 2

[[question.version]]
n = 2
answer = 4

[[question]]
id = "q-text"
type = "text"
prompt = "Which word?"
explain = "So."
accept = ["one"]
case = true
samples_ok = ["one"]
samples_bad = ["two"]
near = [{ text = "two", feedback = "One less." }]

[[question]]
id = "q-order"
type = "order"
prompt = "In which order?"
explain = "So."
items = [{ id = "a", text = "A" }, { id = "b", text = "B" }]
also = [["b", "a"]]

[[question]]
id = "q-match"
type = "match"
prompt = "What fits?"
explain = "So."
pairs = [{ id = "a", left = "A", right = "1", feedback = "No." }, { id = "b", left = "B", right = "2" }]

[[question]]
id = "q-predict"
type = "predict"
prompt = "How much?"
explain = "So."
lab = "try"
metric = "host_ms"
counts = true
bins = [{ id = "a", text = "A", to = 1.5 }, { id = "b", text = "B", from = 1.5, feedback = "No." }]

[[question]]
id = "q-guess"
type = "predict"
prompt = "How much?"
explain = "So."
lab = "try"
metric = "host_ms"
unit = "ms"
within_factor = 3

[[question]]
id = "q-words"
type = "words"
prompt = "Why?"
explain = "So."
parts = ["One.", "Two."]
"##;

const ALL: [Of; 3] = [
    Of {
        schema: COURSE,
        course: |text| course_of(text, HEAD, QUESTIONS),
        sample: MANIFEST,
    },
    Of {
        schema: LESSON,
        course: |text| course_of(MANIFEST, text, QUESTIONS),
        sample: HEAD,
    },
    Of {
        schema: QUIZ,
        course: |text| course_of(MANIFEST, HEAD, text),
        sample: QUESTIONS,
    },
];

fn course_of(manifest: &str, head: &str, quiz: &str) -> Vec<(&'static str, String)> {
    let lesson = format!("+++\n{head}+++\n\nText.\n\n```python lab id=try\nx = 1\n```\n");
    vec![
        ("lessons/course.toml", manifest.to_owned()),
        ("lessons/one.md", lesson),
        ("quizzes/one.toml", quiz.to_owned()),
    ]
}

impl Of {
    fn schema(&self) -> Value {
        serde_json::from_str(self.schema).unwrap()
    }

    /// What the readers say about a course with this file.
    fn read(&self, text: &str) -> Vec<Diagnostic> {
        let files = (self.course)(text).into_iter();
        let files = files.map(|(file, text)| (file.to_owned(), Cow::Owned(text)));
        let sources = Sources::of(files);
        parse(&sources).1
    }

    fn errors(&self, text: &str) -> Vec<String> {
        let found = self.read(text).into_iter();
        let errors = found.filter(|it| it.severity == Severity::Error);
        errors.map(|it| it.message).collect()
    }
}

fn json(text: &str) -> Value {
    let table: toml::Table = text.parse().unwrap();
    serde_json::to_value(table).unwrap()
}

/// The value with one more key in the table at this path.
fn with_key(value: &Value, path: &[String], key: &str) -> String {
    let mut value = value.clone();
    let steps = path.iter().flat_map(|it| ["/", it.as_str()]);
    let pointer: String = steps.collect();
    value.pointer_mut(&pointer).unwrap()[key] = Value::from(1);
    toml::to_string(&value).unwrap()
}

/// The objects of a schema whose keys are closed.
fn closed(schema: &Value) -> usize {
    let inner: usize = match schema {
        Value::Object(it) => it.values().map(closed).sum(),
        Value::Array(it) => it.iter().map(closed).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    };
    inner + usize::from(schema.get("additionalProperties").is_some())
}

#[test]
fn each_table_has_the_keys_that_its_reader_knows_and_no_other() {
    for of in &ALL {
        let (schema, sample) = (of.schema(), json(of.sample));
        let mut seen = BTreeSet::new();
        for (path, known) in objects(&schema, &sample) {
            let found = of.read(&with_key(&sample, &path, "zzzzzzzzzzzz"));
            let unknown = found
                .iter()
                .find(|it| it.message.contains("unknown key `zzz"));
            let unknown = unknown.unwrap_or_else(|| panic!("{path:?}: {found:?}"));
            let hint = unknown.hint.as_ref().unwrap();
            let read = hint.strip_prefix("known are ").unwrap();
            let read: BTreeSet<&str> = read.split(", ").collect();
            let said: BTreeSet<&str> = known.keys().map(String::as_str).collect();
            assert_eq!(
                read, said,
                "left: the reader, right: the schema, at {path:?}"
            );
            seen.insert(std::ptr::from_ref(known));
        }
        assert_eq!(
            seen.len(),
            closed(&schema),
            "the sample has each kind of table"
        );
    }
}

#[test]
fn the_samples_and_the_shipped_course_are_valid() {
    for of in &ALL {
        assert_eq!(mistakes(&of.schema(), &json(of.sample)), [""; 0]);
        assert_eq!(of.errors(of.sample), [""; 0]);
    }
    let mut seen = 0;
    for (file, text) in &embedded().files {
        let (of, toml) = if file == "lessons/course.toml" {
            (&ALL[0], &**text)
        } else if file.starts_with("lessons/") {
            (&ALL[1], text.get(head_range(text).unwrap()).unwrap())
        } else if file.starts_with("quizzes/") {
            (&ALL[2], &**text)
        } else {
            continue;
        };
        assert_eq!(mistakes(&of.schema(), &json(toml)), [""; 0], "{file}");
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn what_a_schema_refuses_the_reader_refuses_too() {
    let broken: [(usize, &str, &str); 28] = [
        (0, "format = 1", "format = 2"),
        (0, "id = \"talk\"", ""),
        (0, "id = \"talk\"", "id = \"My talk\""),
        (0, "summary", "sumary"),
        (0, "above_percent = 75", "above_percent = 100"),
        (0, "seconds = 30", "seconds = 0"),
        (0, "2GiB", "2 GB"),
        (0, "drop = \"/srv", "drop = \"srv"),
        (0, "threads = 2", "launcher = []"),
        (0, "[\"one.md\"]", "\"one.md\""),
        (0, "[\"one.md\"]", "[\"one.md\", \"one.md\"]"),
        (1, "minutes = 5", "minutes = -5"),
        (1, "minutes = 5", "minutes = \"5\""),
        (1, "title = \"One\"", "title = \" \""),
        (1, "objectives = [\"Say it.\"]", ""),
        (2, "type = \"single\"", "type = \"singel\""),
        (2, "points = 2", "points = 0"),
        (2, "points = 2", "points = 1001"),
        (2, "short = true", "short = \"yes\""),
        (2, "see = \"#start\"", "see = \"start\""),
        (2, "pin = \"last\"", "pin = \"first\""),
        (2, "{ rel = 0.02 }", "{ rel = 0.02, abs = 1 }"),
        (2, "range = [23, 25]", "range = [23]"),
        (2, "accept = [\"one\"]", "accept = []"),
        (2, "items = [{ id = \"a\", text = \"A\" }, ", "items = ["),
        (2, "within_factor = 3", "within_factor = 0.5"),
        (2, "parts = [\"One.\", \"Two.\"]", "parts = [\"One.\"]"),
        (2, "parts = [\"One.\"", "points = 1\nparts = [\"One.\""),
    ];
    for (at, right, wrong) in broken {
        let of = &ALL[at];
        assert!(of.sample.contains(right), "{right}");
        let text = of.sample.replacen(right, wrong, 1);
        assert_ne!(mistakes(&of.schema(), &json(&text)), [""; 0], "{wrong}");
        assert_ne!(of.errors(&text), [""; 0], "{wrong}");
    }
}
