//! How each kind of question is judged, and what a learner gets to read.

use super::*;
use crate::question::parts_right;

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
fn a_choice_is_typed_by_its_place_or_by_its_name() {
    let question = question("q", "single", &options(&["+zero", "one", "1"]));
    let asked = AttemptQuestion {
        order: Vec::new(),
        question,
        given: None,
    };
    let line = |typed| asked.input().line(typed);
    assert_eq!(line("one"), Ok(Answer::Single(id("one"))));
    // A number is a place.
    assert_eq!(line("1"), Ok(Answer::Single(id("zero"))));
    assert_eq!(
        line("two"),
        Err("`two` is not one of the numbers from 1 to 3".to_owned())
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
        "choose an answer first"
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
        "`much` is not a number: write it in digits"
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
    assert_eq!(told(&text(), &said("  "), None), "type an answer first");
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
        "`x` is in the answer twice"
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
        "run the lab `bus` first: the prediction is compared with what it measures"
    );
    assert_eq!(
        told(&number(), &typed("x"), None),
        "`x` is not a number: write it in digits"
    );
}

#[test]
fn own_words_are_never_graded() {
    assert_eq!(
        told(&words(), &said("one and two"), Some(1.0)),
        "this is answered in your own words, which are not graded"
    );
    assert_eq!(key(&words(), Some(1.0)), None);
}

#[test]
fn an_answer_of_another_kind_is_told_apart_from_a_wrong_one() {
    assert_eq!(
        told(&numeric(), &one("a"), None),
        "the answer does not belong to this question: it asks for a number"
    );
}

/// An answered question as a text: mark, then what it says.
fn reviewed(question: &Question, answer: &Answer, truth: Option<f64>) -> String {
    let verdict = grade(question, answer, truth).unwrap();
    let rows = review(question, answer, &verdict, truth);
    let rows = rows.iter().map(|it| {
        let head = it
            .head
            .as_ref()
            .map_or_else(String::new, |it| format!("{}: ", it.plain()));
        let said = it
            .feedback
            .as_ref()
            .map_or_else(String::new, |it| format!(" ({})", it.plain()));
        format!("{head}{} {}{said}", it.mark.words(), it.text.plain())
    });
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
fn an_answered_question_shows_the_answer_beside_the_right_one() {
    insta::assert_snapshot!(reviewed(&multi(false), &some(&["a", "c"]), None), @"
    ✓ yours a
    ✓ right, you left it out b
    ✗ yours, wrong c (c)
     d (d)
    ");
    insta::assert_snapshot!(reviewed(&numeric(), &typed("500"), None), @r"
    ✗ yours 500 MiB (those are MB)
    ✓ right 476.8 MiB
    ");
    insta::assert_snapshot!(reviewed(&numeric(), &typed("476.8"), None), @"✓ yours 476.8 MiB");
    insta::assert_snapshot!(reviewed(&text(), &said("CUDA_DEVICES"), None), @r"
    ✗ yours CUDA_DEVICES (nearly)
    ✓ right CUDA_VISIBLE_DEVICES
    ");
    let order = sample::question(
        "id = \"q-o\"\ntype = \"order\"\nitems = [{ id = \"a\", text = \"A\" }, { id = \"b\", text = \"B\" }, { id = \"c\", text = \"C\" }]",
    );
    let ids = |ids: &[&str]| Answer::Order(ids.iter().map(|it| ChoiceId::new(*it)).collect());
    insta::assert_snapshot!(reviewed(&order, &ids(&["b", "a", "c"]), None), @r"
    your order: ✗ yours B
    ✗ yours A
    ✓ yours C
    the right order: ✓ right A
    ✓ right B
    ✓ right C
    ");
    insta::assert_snapshot!(reviewed(&order, &ids(&["a", "b", "c"]), None), @r"
    ✓ yours A
    ✓ yours B
    ✓ yours C
    ");
    let pairs = sample::question(
        "id = \"q-m\"\ntype = \"match\"\npairs = [{ id = \"a\", left = \"A\", right = \"1\" }, { id = \"b\", left = \"B\", right = \"2\" }]",
    );
    let swapped = ["a", "b"]
        .map(ChoiceId::new)
        .into_iter()
        .zip(["b", "a"].map(ChoiceId::new));
    insta::assert_snapshot!(reviewed(&pairs, &Answer::Match(swapped.collect()), None), @r"
    A: ✗ yours 2
    ✓ right 1
    B: ✗ yours 1
    ✓ right 2
    ");
}

#[test]
fn no_order_that_is_right_is_shown_first() {
    let question = order();
    for seed in 0..50 {
        let shown = Answer::Order(order_of(&question, seed));
        assert_eq!(told(&question, &shown, None), "0/200", "{seed}");
    }
}

#[test]
fn right_pairs_and_neighbours_earn_their_share_where_the_question_says_so() {
    let pairs = "pairs = [\n\
        { id = \"a\", left = \"1\", right = \"A\", weight = 2 },\n\
        { id = \"b\", left = \"2\", right = \"B\" },\n\
        { id = \"c\", left = \"3\", right = \"C\" },\n]\npartial = true";
    let question = question("q", "match", pairs);
    let answer = |rights: [&str; 3]| {
        let lefts = ["a", "b", "c"].map(id).into_iter();
        Answer::Match(lefts.zip(rights.map(id)).collect())
    };
    assert_eq!(told(&question, &answer(["a", "b", "c"]), None), "200/200");
    assert_eq!(told(&question, &answer(["a", "c", "b"]), None), "100/200");
    assert_eq!(told(&question, &answer(["b", "a", "c"]), None), "50/200");
    assert_eq!(told(&question, &answer(["b", "c", "a"]), None), "0/200");

    let items = "items = [{ id = \"a\", text = \"A\" }, { id = \"b\", text = \"B\" }, { id = \"c\", text = \"C\" }, { id = \"d\", text = \"D\" }, { id = \"e\", text = \"E\" }]\n\
        also = [[\"b\", \"a\", \"c\", \"d\", \"e\"]]\npartial = true";
    let question = super::question("q", "order", items);
    let answer = |order: &str| Answer::Order(order.chars().map(|it| id(&it.to_string())).collect());
    assert_eq!(told(&question, &answer("abcde"), None), "200/200");
    assert_eq!(told(&question, &answer("bacde"), None), "200/200");
    // The last three stay together, and in the other right order the first two as well.
    assert_eq!(told(&question, &answer("cdeab"), None), "150/200");
    assert_eq!(told(&question, &answer("cdeba"), None), "150/200");
    assert_eq!(told(&question, &answer("edcba"), None), "50/200");
}

#[test]
fn what_the_points_of_a_part_are_for_is_said_in_words() {
    let said =
        |question: &Question, answer: &Answer| parts_right(question, answer).unwrap_or_default();
    assert_eq!(said(&multi(false), &some(&["a"])), "");
    let chosen = [&["a"][..], &["a", "b", "c"], &["a", "c", "d"]];
    let chosen = chosen.map(|it| said(&multi(true), &some(it)));
    insta::assert_snapshot!(chosen.join("\n"), @"
    1 of 2 right ones chosen, none wrong
    2 of 2 right ones chosen, 1 wrong, which takes one away
    1 of 2 right ones chosen, 2 wrong, which take as many away
    ");
    let pairs = |weight: &str| {
        let pairs = format!(
            "pairs = [\n{{ id = \"a\", left = \"1\", right = \"A\"{weight} }},\n\
             {{ id = \"b\", left = \"2\", right = \"B\" }},\n\
             {{ id = \"c\", left = \"3\", right = \"C\" }},\n]\npartial = true"
        );
        let answer =
            [("a", "a"), ("b", "c"), ("c", "b")].map(|(left, right)| (id(left), id(right)));
        said(
            &question("q", "match", &pairs),
            &Answer::Match(answer.into()),
        )
    };
    assert_eq!(pairs(""), "1 of 3 pairs right");
    assert_eq!(
        pairs(", weight = 2"),
        "1 of 3 pairs right, by their weights"
    );
    let items = "items = [{ id = \"a\", text = \"A\" }, { id = \"b\", text = \"B\" }, { id = \"c\", text = \"C\" }]\npartial = true";
    let order = Answer::Order(["b", "c", "a"].map(id).into());
    assert_eq!(
        said(&question("q", "order", items), &order),
        "1 of 2 steps from one item to the next right"
    );
}
