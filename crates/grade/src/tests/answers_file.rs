//! Answers in a file.

use super::*;
use crate::answers_file;
use warpup_course::QuestionId;

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
        words(),
    ]);
    let file = r#"
single = "b"
multi = ["a", "c"]
numeric = 476.80
text = "two words"
order = ["z", "y", "x"]
pairs = { x = "x", y = "z", z = "y" }
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
    assert_eq!(
        answer("pairs"),
        paired(&[("x", "x"), ("y", "z"), ("z", "y")])
    );
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
    error[unknown-question]: the quiz has no question `sinlge`
     --> answers.toml:1:1
      |
    1 | sinlge = "a"
      | ^^^^^^
      |
      = help: did you mean `single`?
    error[wrong-type]: `text` should be a text in quotes, not this integer
     --> answers.toml:2:8
      |
    2 | text = 3
      |        ^
      |
      = help: put it in quotes: `"3"`
    "#);
}

#[test]
fn a_misspelt_option_and_a_unit_that_does_not_fit_are_told_and_left_out() {
    let quiz = quiz(vec![single("single"), multi(false), numeric(), pairs()]);
    let file = "single = \"bb\"\nmulti = [\"a\", \"x\"]\nnumeric = \"476.80 kg\"\npairs = { x = \"q\", y = \"z\" }\n";
    let (answers, diagnostics) = answers_file::parse("answers.toml", file, &quiz);
    assert!(answers.is_empty());
    let shown: String = diagnostics.iter().map(|it| it.render(file)).collect();
    insta::assert_snapshot!(shown, @r#"
    error[answer-form]: `single`: the answer does not belong to this question: there is no option `bb`
     --> answers.toml:1:10
      |
    1 | single = "bb"
      |          ^^^^
      |
      = help: there are `a`, `b`, `c`, `last`
    error[answer-form]: `multi`: the answer does not belong to this question: there is no option `x`
     --> answers.toml:2:9
      |
    2 | multi = ["a", "x"]
      |         ^^^^^^^^^^
      |
      = help: there are `a`, `b`, `c`, `d`
    error[answer-form]: `numeric`: `kg` does not fit: answer in MiB, GiB, B
     --> answers.toml:3:11
      |
    3 | numeric = "476.80 kg"
      |           ^^^^^^^^^^^
    error[answer-form]: `pairs`: the answer does not belong to this question: there is no pair `q`
     --> answers.toml:4:9
      |
    4 | pairs = { x = "q", y = "z" }
      |         ^^^^^^^^^^^^^^^^^^^^
      |
      = help: pair `x`, `y`, `z` with `x`, `y`, `z`
    "#);
}
