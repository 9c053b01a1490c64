//! Grading, told by examples; [`any`] has what holds for every question, [`strategies`] what is
//! earned by form.

mod any;
mod strategies;

use super::*;
use crate::course::kinds::{
    Bin, Matching, MultipleChoice, NearMiss, Numeric, Ordering, OwnWords, Pair, PredictForm,
    Prediction, ShortText, SingleChoice, Tolerance,
};
use crate::course::{
    Choice, ChoiceId, LabId, PassRule, Question, QuestionId, QuestionKind, Quiz, Text,
};

const STRICT: PassRule = PassRule { above_percent: 75 };

fn id(name: &str) -> ChoiceId {
    ChoiceId::new(name)
}

fn ids(names: &[&str]) -> Vec<ChoiceId> {
    names.iter().map(|it| id(it)).collect()
}

/// Options by id; a `+` in front marks a right one, and each wrong one has its id as feedback.
fn options(names: &[&str]) -> Vec<Choice> {
    names
        .iter()
        .map(|name| {
            let right = name.strip_prefix('+');
            let name = right.unwrap_or(name);
            Choice {
                id: id(name),
                text: Text::of(name),
                correct: right.is_some(),
                feedback: right.is_none().then(|| Text::of(name)),
                pin_last: name == "last",
            }
        })
        .collect()
}

fn question(name: &str, kind: QuestionKind) -> Question {
    Question {
        id: QuestionId::new(name),
        prompt: Vec::new(),
        points: 2,
        counts: !matches!(kind, QuestionKind::Predict(_)),
        kind,
        hints: Vec::new(),
        explain: Vec::new(),
        see: None,
        short: false,
        hash: "0".to_owned(),
        span: 0..0,
    }
}

fn single(name: &str) -> Question {
    let options = options(&["+a", "b", "c", "last"]);
    question(
        name,
        QuestionKind::Single(SingleChoice {
            options,
            shuffle: true,
        }),
    )
}

fn multi(partial: bool) -> Question {
    let options = options(&["+a", "+b", "c", "d"]);
    question(
        "multi",
        QuestionKind::Multi(MultipleChoice {
            options,
            shuffle: true,
            partial,
        }),
    )
}

fn numeric() -> Question {
    question(
        "numeric",
        QuestionKind::Numeric(Numeric {
            answer: 476.8,
            tolerance: Tolerance::Rel(0.02),
            unit: Some("MiB".to_owned()),
            accepted: vec!["GiB".to_owned(), "B".to_owned()],
            near: vec![NearMiss {
                value: 500.0,
                tolerance: Tolerance::Abs(0.5),
                feedback: Text::of("those are MB"),
            }],
        }),
    )
}

fn text() -> Question {
    question(
        "text",
        QuestionKind::Text(ShortText {
            accept: vec!["CUDA_VISIBLE_DEVICES".to_owned(), "two words".to_owned()],
            case: false,
            samples_ok: Vec::new(),
            samples_bad: Vec::new(),
            near: vec![("cuda_devices".to_owned(), Text::of("nearly"))],
        }),
    )
}

fn order() -> Question {
    question(
        "order",
        QuestionKind::Order(Ordering {
            items: options(&["x", "y", "z"]),
            also: vec![ids(&["y", "x", "z"])],
        }),
    )
}

fn pairs() -> Question {
    let pair = |name: &str| Pair {
        id: id(name),
        left: Text::of(name),
        right: Text::of(name.to_uppercase()),
        feedback: Some(Text::of(name)),
    };
    let pairs = vec![pair("x"), pair("y"), pair("z")];
    question("pairs", QuestionKind::Match(Matching { pairs }))
}

fn predict(form: PredictForm) -> Question {
    question(
        "predict",
        QuestionKind::Predict(Prediction {
            lab: LabId::new("copy"),
            metric: "rate".to_owned(),
            form,
        }),
    )
}

fn bins() -> Question {
    let bin = |name: &str, from, to| Bin {
        id: id(name),
        text: Text::of(name),
        from,
        to,
        feedback: Some(Text::of(name)),
    };
    predict(PredictForm::Bins(vec![
        bin("low", f64::NEG_INFINITY, 1.0),
        bin("mid", 1.0, 10.0),
        bin("high", 10.0, f64::INFINITY),
    ]))
}

fn number() -> Question {
    predict(PredictForm::Number {
        unit: Some("ms".to_owned()),
        within_factor: 2.0,
    })
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

#[test]
fn a_single_choice_is_all_or_nothing_and_says_what_was_wrong() {
    assert_eq!(told(&single("q"), &one("a"), None), "200/200");
    assert_eq!(told(&single("q"), &one("b"), None), "0/200 b");
    assert_eq!(
        told(&single("q"), &one("x"), None),
        "the answer does not belong to this question: there is no option `x`"
    );
}

#[test]
fn a_multiple_choice_is_all_or_nothing_unless_it_is_partial() {
    assert_eq!(told(&multi(false), &some(&["a", "b"]), None), "200/200");
    assert_eq!(told(&multi(false), &some(&["a"]), None), "0/200");
    assert_eq!(
        told(&multi(false), &some(&["a", "b", "c"]), None),
        "0/200 c"
    );
    assert_eq!(told(&multi(true), &some(&["a", "b"]), None), "200/200");
    assert_eq!(told(&multi(true), &some(&["a"]), None), "100/200");
    assert_eq!(
        told(&multi(true), &some(&["a", "b", "c"]), None),
        "100/200 c"
    );
    assert_eq!(
        told(&multi(true), &some(&["a", "c", "d"]), None),
        "0/200 c, d"
    );
    assert_eq!(
        told(&multi(true), &some(&[]), None),
        "nothing is answered yet"
    );
}

#[test]
fn a_number_is_compared_in_the_questions_unit() {
    for right in [
        "476.8",
        "470 MiB",
        "0.4656 GiB",
        "500,000,000 bytes",
        "4.768e2",
    ] {
        assert_eq!(told(&numeric(), &typed(right), None), "200/200", "{right}");
    }
    assert_eq!(told(&numeric(), &typed("500"), None), "0/200 those are MB");
    assert_eq!(told(&numeric(), &typed("900"), None), "0/200");
    assert_eq!(
        told(&numeric(), &typed("500 MB"), None),
        "`MB` does not fit: answer in MiB, GiB, B"
    );
    assert_eq!(
        told(&numeric(), &typed("much"), None),
        "`much` is no number: write something like 14.9 or 2e9"
    );
}

#[test]
fn a_text_is_compared_without_regard_to_case_and_runs_of_space() {
    assert_eq!(
        told(&text(), &said(" cuda_visible_devices "), None),
        "200/200"
    );
    assert_eq!(told(&text(), &said("Two \t words"), None), "200/200");
    assert_eq!(told(&text(), &said("CUDA_DEVICES"), None), "0/200 nearly");
    assert_eq!(told(&text(), &said("twowords"), None), "0/200");
    assert_eq!(told(&text(), &said("  "), None), "nothing is answered yet");
}

#[test]
fn an_order_is_right_as_in_the_file_or_as_in_also() {
    let order_of = |names| Answer::Order(ids(names));
    assert_eq!(told(&order(), &order_of(&["x", "y", "z"]), None), "200/200");
    assert_eq!(told(&order(), &order_of(&["y", "x", "z"]), None), "200/200");
    assert_eq!(told(&order(), &order_of(&["z", "y", "x"]), None), "0/200");
    assert_eq!(
        told(&order(), &order_of(&["x", "y"]), None),
        "not everything is answered yet: `z` has no place"
    );
    assert_eq!(
        told(&order(), &order_of(&["x", "x", "y"]), None),
        "the answer does not belong to this question: `x` is there twice"
    );
}

#[test]
fn pairs_are_all_or_nothing_and_each_wrong_one_speaks() {
    let right = [("x", "x"), ("y", "y"), ("z", "z")];
    assert_eq!(told(&pairs(), &paired(&right), None), "200/200");
    let wrong = [("x", "y"), ("y", "x"), ("z", "z")];
    assert_eq!(told(&pairs(), &paired(&wrong), None), "0/200 x: x, y: y");
    assert_eq!(
        told(&pairs(), &paired(&[("x", "x")]), None),
        "not everything is answered yet: `y` has no partner"
    );
}

#[test]
fn a_prediction_is_judged_by_what_the_lab_measured() {
    assert_eq!(told(&bins(), &one("mid"), Some(1.0)), "200/200");
    assert_eq!(told(&bins(), &one("mid"), Some(10.0)), "0/200 mid");
    assert_eq!(told(&bins(), &one("low"), Some(-5.0)), "200/200");
    assert_eq!(told(&number(), &typed("0.5 s"), Some(900.0)), "200/200");
    assert_eq!(told(&number(), &typed("10"), Some(21.0)), "0/200");
    assert_eq!(
        told(&number(), &typed("10"), None),
        "run the lab `copy` first: the prediction is compared with what it measures"
    );
    assert_eq!(
        told(&number(), &typed("x"), None),
        "`x` is no number: write something like 14.9 or 2e9"
    );
}

#[test]
fn own_words_are_never_graded() {
    let kind = QuestionKind::Words(OwnWords {
        parts: vec![Text::of("one"), Text::of("two")],
    });
    let words = question("words", kind);
    assert_eq!(
        told(&words, &said("one and two"), Some(1.0)),
        "this is answered in your own words, which are not graded"
    );
    assert_eq!(key(&words, Some(1.0)), None);
}

#[test]
fn an_answer_of_another_kind_is_told_apart_from_a_wrong_one() {
    assert_eq!(
        told(&numeric(), &one("a"), None),
        "the answer does not belong to this question: it asks for a number"
    );
}

fn quiz(questions: Vec<Question>) -> Quiz {
    Quiz {
        id: "quiz".to_owned(),
        title: "Quiz".to_owned(),
        file: "quizzes/quiz.toml".to_owned(),
        pass: STRICT,
        questions,
    }
}

#[test]
fn answers_in_a_file_take_the_shape_of_their_questions() {
    let quiz = quiz(vec![
        single("single"),
        multi(false),
        numeric(),
        text(),
        order(),
        pairs(),
        bins(),
        question("words", QuestionKind::Words(OwnWords { parts: Vec::new() })),
    ]);
    let file = r#"
single = "b"
multi = ["a", "c"]
numeric = 476.80
text = "two words"
order = ["z", "y", "x"]
pairs = { x = "x", y = "z" }
predict = "low"
words = "one two"
"#;
    let (answers, diagnostics) = answers_file::parse("answers.toml", file, &quiz);
    assert_eq!(diagnostics, []);
    let answer = |name: &str| answers.get(&QuestionId::new(name)).unwrap().clone();
    assert_eq!(answer("single"), one("b"));
    assert_eq!(answer("multi"), some(&["a", "c"]));
    assert_eq!(answer("numeric"), typed("476.80"));
    assert_eq!(answer("text"), said("two words"));
    assert_eq!(answer("order"), Answer::Order(ids(&["z", "y", "x"])));
    assert_eq!(answer("pairs"), paired(&[("x", "x"), ("y", "z")]));
    assert_eq!(answer("predict"), one("low"));
    assert_eq!(answer("words"), said("one two"));
}

#[test]
fn answers_that_do_not_fit_are_told_and_left_out() {
    let file = "sinlge = \"a\"\ntext = 3\n";
    let (answers, diagnostics) =
        answers_file::parse("answers.toml", file, &quiz(vec![single("single"), text()]));
    assert!(answers.is_empty());
    let shown: String = diagnostics.iter().map(|it| it.render(file)).collect();
    insta::assert_snapshot!(shown, @r#"
    answers.toml:1:1: error: the quiz has no question `sinlge`
       | sinlge = "a"
       | ^^^^^^
       = hint: did you mean `single`?
    answers.toml:2:8: error: `text` should be a text in quotes, not this integer
       | text = 3
       |        ^
    "#);
}
