//! Grading, told by examples; [`any`] has what holds for every question, [`strategies`] what is
//! earned by form.

mod answers_file;
mod any;
mod kinds;
mod strategies;

use super::*;
use warpup_course::{ChoiceId, PassRule, Question, Quiz, Text, sample};

const STRICT: PassRule = PassRule { above_percent: 75 };

fn id(name: &str) -> ChoiceId {
    ChoiceId::new(name)
}

fn ids(names: &[&str]) -> Vec<ChoiceId> {
    names.iter().map(|it| id(it)).collect()
}

/// A question for two points, from its name, its type and what only its type has.
fn question(name: &str, kind: &str, keys: &str) -> Question {
    let keys = format!("id = \"{name}\"\ntype = \"{kind}\"\npoints = 2\n{keys}");
    sample::question(&keys)
}

/// Options by text; a `+` in front marks a right one, each wrong one has its text as feedback, and `last` stays last.
fn options(texts: &[&str]) -> String {
    let option = |text: &&str| {
        let right = text.strip_prefix('+');
        let text = right.unwrap_or(text);
        let id = text.replace(' ', "-");
        let pin = if text == "last" {
            "pin = \"last\", "
        } else {
            ""
        };
        let judged = match right {
            Some(_) => "correct = true".to_owned(),
            None => format!("feedback = \"{text}\""),
        };
        format!("{{ id = \"{id}\", text = \"{text}\", {pin}{judged} }},\n")
    };
    let options: String = texts.iter().map(option).collect();
    format!("options = [\n{options}]\n")
}

fn single(name: &str) -> Question {
    question(name, "single", &options(&["+a", "b", "c", "last"]))
}

fn multi(partial: bool) -> Question {
    let options = options(&["+a", "+b", "c", "d"]);
    question("multi", "multi", &format!("{options}partial = {partial}"))
}

fn numeric() -> Question {
    question(
        "numeric",
        "numeric",
        r#"
answer = 476.8
tolerance = { rel = 0.02 }
unit = "MiB"
accepted = ["GiB", "B"]
near = [{ value = 500, tolerance = { abs = 0.5 }, feedback = "those are MB" }]
"#,
    )
}

fn text() -> Question {
    question(
        "text",
        "text",
        r#"
accept = ["CUDA_VISIBLE_DEVICES", "two words"]
near = [{ text = "cuda_devices", feedback = "nearly" }]
"#,
    )
}

fn order() -> Question {
    question(
        "order",
        "order",
        r#"
items = [{ id = "x", text = "x" }, { id = "y", text = "y" }, { id = "z", text = "z" }]
also = [["y", "x", "z"]]
"#,
    )
}

fn pairs() -> Question {
    question(
        "pairs",
        "match",
        r#"
pairs = [
  { id = "x", left = "x", right = "X", feedback = "x" },
  { id = "y", left = "y", right = "Y", feedback = "y" },
  { id = "z", left = "z", right = "Z", feedback = "z" },
]
"#,
    )
}

/// A prediction about the sample course's lab `bus`.
fn predict(form: &str) -> Question {
    let keys = format!("lab = \"bus\"\nmetric = \"batch_mib\"\n{form}");
    question("predict", "predict", &keys)
}

fn bins() -> Question {
    predict(
        r#"
bins = [
  { id = "low", text = "low", to = 1, feedback = "low" },
  { id = "mid", text = "mid", from = 1, to = 10, feedback = "mid" },
  { id = "high", text = "high", from = 10, feedback = "high" },
]
"#,
    )
}

fn number() -> Question {
    predict("unit = \"ms\"\nwithin_factor = 2.0")
}

fn words() -> Question {
    sample::question("id = \"words\"\ntype = \"words\"\nparts = [\"one\", \"two\"]")
}

fn quiz(questions: Vec<Question>) -> Quiz {
    Quiz {
        id: "quiz".to_owned(),
        title: "Quiz".to_owned(),
        file: "quizzes/quiz.toml".to_owned(),
        pass: STRICT,
        ask: None,
        questions,
    }
}

/// Earned hundredths and feedback, or the reason why it cannot be read.
fn told(question: &Question, answer: &Answer, truth: Option<f64>) -> String {
    match grade(question, answer, truth) {
        Ok(verdict) => {
            let feedback: Vec<_> = verdict.feedback.iter().map(Text::plain).collect();
            format!("{}/{} {}", verdict.earned, verdict.max, feedback.join(", "))
                .trim_end()
                .to_owned()
        }
        Err(why) => why.to_string(),
    }
}

fn one(name: &str) -> Answer {
    Answer::Single(id(name))
}

fn some(names: &[&str]) -> Answer {
    Answer::Multi(ids(names).into_iter().collect())
}

fn typed(number: &str) -> Answer {
    Answer::Number(number.to_owned())
}

fn said(text: &str) -> Answer {
    Answer::Text(text.to_owned())
}

fn paired(pairs: &[(&str, &str)]) -> Answer {
    Answer::Match(
        pairs
            .iter()
            .map(|(left, right)| (id(left), id(right)))
            .collect(),
    )
}

#[test]
fn the_gate_asks_for_more_than_three_quarters() {
    let table = [
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 4),
        (5, 4),
        (6, 5),
        (7, 6),
        (8, 7),
        (9, 7),
        (10, 8),
        (11, 9),
        (12, 10),
        (13, 10),
        (14, 11),
        (15, 12),
        (16, 13),
        (17, 13),
        (18, 14),
        (19, 15),
        (20, 16),
    ];
    for (max, least) in table {
        assert_eq!(needed(max, STRICT), least, "{max} points");
        let score = |earned: u64| Score {
            earned: earned * HUNDREDTHS,
            max: max * HUNDREDTHS,
        };
        assert!(score(least).passes(STRICT), "{least} of {max}");
        assert!(!score(least - 1).passes(STRICT), "{} of {max}", least - 1);
    }
    assert!(
        !Score::default().passes(STRICT),
        "nothing asked, nothing passed"
    );
}
