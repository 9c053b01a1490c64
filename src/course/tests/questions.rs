//! What is said about mistakes in quizzes.

use super::*;
use insta::assert_snapshot;

/// A question of this type and with these further keys.
fn question(kind: &str, more: &str) -> String {
    format!(
        "[[question]]\nid = \"q\"\ntype = \"{kind}\"\nprompt = \"What?\"\nexplain = \"So.\"\n{more}\n"
    )
}

/// What is wrong with a question of this type and with these further keys.
fn wrong(kind: &str, more: &str) -> String {
    diagnostics_of_question(&question(kind, more))
}

#[test]
fn a_question_that_misses_what_all_need_is_left_out() {
    assert_snapshot!(diagnostics_of_question("[[question]]\ntype = \"text\"\naccept = [\"a\"]\n"), @r"
    quizzes/lesson.toml:14:1: error: the text question has no `id`
       | [[question]]
       | ^^^^^^^^^^^^
    quizzes/lesson.toml:14:1: error: the text question has no `prompt`
       | [[question]]
       | ^^^^^^^^^^^^
    quizzes/lesson.toml:14:1: error: the text question has no `explain`
       | [[question]]
       | ^^^^^^^^^^^^
    ");
}

#[test]
fn unknown_types_and_keys_name_the_nearest() {
    assert_snapshot!(wrong("singel", ""), @r#"
    quizzes/lesson.toml:16:8: error: unknown type `singel`
       | type = "singel"
       |        ^^^^^^^^
       = hint: did you mean `single`?
    "#);
    assert_snapshot!(wrong("numeric", "answer = 1\ntolerence = { rel = 0.1 }"), @r"
    quizzes/lesson.toml:20:1: error: unknown key `tolerence` in a numeric question
       | tolerence = { rel = 0.1 }
       | ^^^^^^^^^
       = hint: did you mean `tolerance`?
    ");
    assert_snapshot!(wrong("text", "accept = [\"a\"]\nbins = []"), @r"
    quizzes/lesson.toml:20:1: error: unknown key `bins` in a text question
       | bins = []
       | ^^^^
       = hint: known are id, type, prompt, points, short, hints, explain, see, accept, case, samples_ok, samples_bad, near
    ");
}

#[test]
fn values_of_the_wrong_type_say_what_is_wanted() {
    assert_snapshot!(wrong("numeric", "answer = \"12\"\npoints = 0"), @r#"
    quizzes/lesson.toml:19:10: error: `answer` should be a number, not this string
       | answer = "12"
       |          ^^^^
    quizzes/lesson.toml:20:10: error: `points` is between 1 and 1000
       | points = 0
       |          ^
    "#);
    assert_snapshot!(wrong("text", "accept = \"a\""), @r#"
    quizzes/lesson.toml:19:10: error: `accept` should be a list in `[ ]`, not this string
       | accept = "a"
       |          ^^^
    "#);
}

#[test]
fn question_ids_are_unique() {
    let twice = question("text", "accept = [\"a\"]").repeat(2);
    assert_snapshot!(diagnostics_of_question(&twice), @r#"
    quizzes/lesson.toml:21:6: error: there is a question `q` already
       | id = "q"
       |      ^^^
    "#);
}

#[test]
fn exactly_one_option_of_a_single_choice_is_right() {
    let none = "options = [{ id = \"a\", text = \"x\" }, { id = \"b\", text = \"y\" }]";
    assert_snapshot!(wrong("single", none), @r#"
    quizzes/lesson.toml:19:1: error: no option is right
       | options = [{ id = "a", text = "x" }, { id = "b", text = "y" }]
       | ^^^^^^^
       = hint: mark it with `correct = true`
    "#);
    let two = none.replace(" }", ", correct = true }");
    assert_snapshot!(wrong("single", &two), @r#"
    quizzes/lesson.toml:19:1: error: 2 options are right, but one can be chosen
       | options = [{ id = "a", text = "x", correct = true }, { id = "b", text = "y", correct = true }]
       | ^^^^^^^
       = hint: make it `type = "multi"`, or leave one `correct = true`
    "#);
    assert_snapshot!(wrong("multi", none), @r#"
    quizzes/lesson.toml:19:1: error: no option is right
       | options = [{ id = "a", text = "x" }, { id = "b", text = "y" }]
       | ^^^^^^^
       = hint: mark it with `correct = true`
    "#);
}

#[test]
fn options_differ_in_id_and_text() {
    let options = "options = [
  { id = \"a\", text = \"x\", correct = true },
  { id = \"a\", text = \"y\", feedback = \"f\" },
  { id = \"b\", text = \" `x` \", pin = \"first\" },
]";
    assert_snapshot!(wrong("single", options), @r#"
    quizzes/lesson.toml:21:10: error: option `a` is there already
       |   { id = "a", text = "y", feedback = "f" },
       |          ^^^
    quizzes/lesson.toml:22:22: error: two choices have the same text
       |   { id = "b", text = " `x` ", pin = "first" },
       |                      ^^^^^^^
    quizzes/lesson.toml:22:37: error: an option cannot be pinned to `first`
       |   { id = "b", text = " `x` ", pin = "first" },
       |                                     ^^^^^^^
       = hint: write `pin = "last"`
    "#);
}

#[test]
fn one_line_texts_are_one_line_and_say_something() {
    let options = "options = [
  { id = \"a\", text = \"\", correct = true },
  { id = \"b\", text = \"x\\ny\", feedback = \"f\" },
  { id = \"c\", text = \"z\" },
]\nhints = [\" \"]";
    assert_snapshot!(wrong("single", options), @r#"
    quizzes/lesson.toml:19:1: error: no option is right
       | options = [
       | ^^^^^^^
       = hint: mark it with `correct = true`
    quizzes/lesson.toml:20:22: error: `text` is empty
       |   { id = "a", text = "", correct = true },
       |                      ^^
    quizzes/lesson.toml:21:22: error: this text has to be on one line
       |   { id = "b", text = "x\ny", feedback = "f" },
       |                      ^^^^^^
    quizzes/lesson.toml:24:10: error: this text is empty
       | hints = [" "]
       |          ^^^
    "#);
}

#[test]
fn an_empty_prompt_asks_nothing() {
    let text = question("text", "accept = [\"a\"]").replace("What?", " ");
    assert_snapshot!(diagnostics_of_question(&text), @r#"
    quizzes/lesson.toml:17:10: error: `prompt` is empty
       | prompt = " "
       |          ^^^
    "#);
}

#[test]
fn tolerances_are_one_of_three_and_hold_the_answer() {
    assert_snapshot!(wrong("numeric", "answer = 1\ntolerance = { rel = 0.1, abs = 1 }"), @r"
    quizzes/lesson.toml:20:13: error: a tolerance is exactly one of `rel`, `abs` and `range`
       | tolerance = { rel = 0.1, abs = 1 }
       |             ^^^^^^^^^^^^^^^^^^^^^^
       = hint: leave `tolerance` out for exactly
    ");
    assert_snapshot!(wrong("numeric", "answer = 1\ntolerance = { range = [3, 2] }"), @r"
    quizzes/lesson.toml:20:23: error: a range is two numbers, the lower one first
       | tolerance = { range = [3, 2] }
       |                       ^^^^^^
    ");
    assert_snapshot!(wrong("numeric", "answer = 1\ntolerance = { range = [2, 3] }"), @r"
    quizzes/lesson.toml:19:10: error: the answer is outside its own range
       | answer = 1
       |          ^
    ");
    assert_snapshot!(wrong("numeric", "answer = 1\ntolerance = { abs = -1 }"), @r"
    quizzes/lesson.toml:20:21: error: a tolerance is not below 0
       | tolerance = { abs = -1 }
       |                     ^^
    ");
}

#[test]
fn accepted_units_convert() {
    assert_snapshot!(wrong("numeric", "answer = 1\nunit = \"MiB\"\naccepted = [\"GiB\", \"Gib\", \"ms\"]"), @r#"
    quizzes/lesson.toml:21:27: error: `ms` cannot be converted to `MiB`
       | accepted = ["GiB", "Gib", "ms"]
       |                           ^^^^
    "#);
    assert_snapshot!(wrong("numeric", "answer = 1\naccepted = [\"GiB\"]"), @r#"
    quizzes/lesson.toml:20:13: error: a question without `unit` accepts no units
       | accepted = ["GiB"]
       |             ^^^^^
    "#);
}

#[test]
fn other_orders_name_each_item_once() {
    let items = "items = [{ id = \"read\", text = \"x\" }, { id = \"copy\", text = \"y\" }]";
    assert_snapshot!(wrong("order", &format!("{items}\nalso = [[\"copy\", \"raed\"], [\"copy\"]]")), @r#"
    quizzes/lesson.toml:20:9: error: another order has to name each item once
       | also = [["copy", "raed"], ["copy"]]
       |         ^^^^^^^^^^^^^^^^
    quizzes/lesson.toml:20:18: error: there is no item `raed`
       | also = [["copy", "raed"], ["copy"]]
       |                  ^^^^^^
       = hint: did you mean `read`?
    quizzes/lesson.toml:20:27: error: another order has to name each item once
       | also = [["copy", "raed"], ["copy"]]
       |                           ^^^^^^^^
    "#);
}

#[test]
fn right_sides_occur_once() {
    let pairs = "pairs = [{ id = \"a\", left = \"x\", right = \"1\" }, { id = \"b\", left = \"y\", right = \"1\" }]";
    assert_snapshot!(wrong("match", pairs), @r#"
    quizzes/lesson.toml:19:81: error: two choices have the same text
       | pairs = [{ id = "a", left = "x", right = "1" }, { id = "b", left = "y", right = "1" }]
       |                                                                                 ^^^
    "#);
}

#[test]
fn predictions_name_a_lab_and_a_metric_of_it() {
    assert_snapshot!(wrong("predict", "lab = \"copy\"\nmetric = \"host_ms\""), @r#"
    quizzes/lesson.toml:19:7: error: the lesson has no lab `copy`
       | lab = "copy"
       |       ^^^^^^
    "#);
    let body = "```python lab id=copy\nlab.metric(\"rate\", 1, \"GB/s\")\n```\n";
    let quiz = question(
        "predict",
        "lab = \"copy\"\nmetric = \"raet\"\nbins = [{ id = \"a\", text = \"x\", to = 2 }, { id = \"b\", text = \"y\", from = 1 }]\nwithin_factor = 2",
    );
    assert_snapshot!(shown(&course_of(body, &format!("{QUIZ}{QUESTION}{quiz}"))), @r#"
    quizzes/lesson.toml:21:43: error: this bin overlaps another, so two would be right
       | bins = [{ id = "a", text = "x", to = 2 }, { id = "b", text = "y", from = 1 }]
       |                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    quizzes/lesson.toml:22:1: error: `within_factor` goes with a predicted number, not with `bins`
       | within_factor = 2
       | ^^^^^^^^^^^^^
    "#);
    let quiz = question("predict", "lab = \"cpoy\"\nmetric = \"rate\"");
    assert_snapshot!(shown(&course_of(body, &format!("{QUIZ}{QUESTION}{quiz}"))), @r#"
    quizzes/lesson.toml:19:7: error: the lesson has no lab `cpoy`
       | lab = "cpoy"
       |       ^^^^^^
       = hint: did you mean `copy`?
    "#);
    let quiz = question("predict", "lab = \"copy\"\nmetric = \"raet\"");
    assert_snapshot!(shown(&course_of(body, &format!("{QUIZ}{QUESTION}{quiz}"))), @r#"
    quizzes/lesson.toml:20:10: error: lab `copy` gives no metric `raet`
       | metric = "raet"
       |          ^^^^^^
       = hint: did you mean `rate`?
    "#);
}

#[test]
fn pages_to_return_to_exist() {
    let text = question("text", "accept = [\"a\"]\nsee = \"#strat\"");
    assert_snapshot!(diagnostics_of_question(&text), @r##"
    quizzes/lesson.toml:20:7: error: the lesson has no page `#strat`
       | see = "#strat"
       |       ^^^^^^^^
       = hint: did you mean `start`?
    "##);
    let text = question("text", "accept = [\"a\"]\nsee = \"start\"");
    assert_snapshot!(diagnostics_of_question(&text), @r##"
    quizzes/lesson.toml:20:7: error: `start` is no page of the lesson
       | see = "start"
       |       ^^^^^^^
       = hint: write `see = "#page"`
    "##);
}

#[test]
fn links_in_prompts_are_checked_where_they_stand() {
    let text = question("text", "accept = [\"a\"]").replace("What?", "See [it](#nowhere)?");
    assert_snapshot!(diagnostics_of_question(&text), @r#"
    quizzes/lesson.toml:17:15: error: there is no page `#nowhere`
       | prompt = "See [it](#nowhere)?"
       |               ^^^^^^^^^^^^^^
    "#);
    let text = question("text", "accept = [\"a\"]").replace("What?", "\\\"See\\\" [it](#nowhere)?");
    assert_snapshot!(diagnostics_of_question(&text), @r#"
    quizzes/lesson.toml:17:10: error: there is no page `#nowhere`
       | prompt = "\"See\" [it](#nowhere)?"
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
}

#[test]
fn broken_toml_costs_only_the_question_it_stands_in() {
    let broken = question("text", "accept = [\"a\"").replace("\"q\"", "\"q-broken\"");
    let fine = question("text", "accept = [\"a\"]").replace("\"q\"", "\"q-last\"");
    let sources = course_of("x\n", &format!("{QUIZ}{QUESTION}{broken}{fine}"));
    assert_snapshot!(shown(&sources), @r"
    quizzes/lesson.toml:20:1: error: this is no TOML: missing comma between array elements, expected `,`
       | [[question]]
       | ^
       = hint: 22 more mistakes below may follow from this one
    ");
    let (course, _) = parse(&sources);
    let quiz = course.lessons[0].quiz.as_ref().unwrap();
    assert!(quiz.question(&QuestionId::new("q-fine")).is_some());
    assert!(quiz.question(&QuestionId::new("q-broken")).is_none());
}

#[test]
fn a_right_option_that_gives_itself_away_is_told() {
    let options = "options = [
  { id = \"a\", text = \"because the copy has to wait for the kernel in front of it\", correct = true },
  { id = \"b\", text = \"no reason\" },
]";
    assert_snapshot!(wrong("single", options), @r"
    quizzes/lesson.toml:14:1: warning: the right option of `q` is the only long one
       | [[question]]
       | ^^^^^^^^^^^^
       = hint: make the options about equally long, so that length gives nothing away
    quizzes/lesson.toml:14:1: warning: wrong option `b` of `q` has no feedback
       | [[question]]
       | ^^^^^^^^^^^^
       = hint: say to those who chose it what it would take for it to be true
    ");
}

#[test]
fn each_wrong_option_says_something_to_who_chose_it() {
    let options = "options = [
  { id = \"a\", text = \"one\", correct = true },
  { id = \"b\", text = \"two\", feedback = \"f\" },
  { id = \"c\", text = \"six\" },
  { id = \"d\", text = \"none of these\", pin = \"last\" },
]";
    assert_eq!(wrong("single", options), wrong("multi", options));
    assert_snapshot!(wrong("single", options), @r"
    quizzes/lesson.toml:14:1: warning: wrong option `c` of `q` has no feedback
       | [[question]]
       | ^^^^^^^^^^^^
       = hint: say to those who chose it what it would take for it to be true
    quizzes/lesson.toml:14:1: warning: wrong option `d` of `q` has no feedback
       | [[question]]
       | ^^^^^^^^^^^^
       = hint: say to those who chose it what it would take for it to be true
    ");
}

#[test]
fn what_the_grader_sees_otherwise_is_told() {
    let numeric =
        "answer = 10\ntolerance = { rel = 0.5 }\nnear = [{ value = 12, feedback = \"f\" }]";
    assert_snapshot!(wrong("numeric", numeric), @r"
    quizzes/lesson.toml:14:1: error: question `q`: near miss 12 is graded right
       | [[question]]
       | ^^^^^^^^^^^^
    ");
    let text = "accept = [\"a\"]\nsamples_ok = [\" A \", \"b\"]\nsamples_bad = [\"A\"]\nnear = [{ text = \"c\", feedback = \"one\" }, { text = \"C\", feedback = \"two\" }]";
    assert_snapshot!(wrong("text", text), @r"
    quizzes/lesson.toml:14:1: error: question `q`: `b` is graded wrong
       | [[question]]
       | ^^^^^^^^^^^^
    quizzes/lesson.toml:14:1: error: question `q`: `A` is graded right
       | [[question]]
       | ^^^^^^^^^^^^
    quizzes/lesson.toml:14:1: error: question `q`: near miss `C` gets the feedback of another one
       | [[question]]
       | ^^^^^^^^^^^^
    ");
}

#[test]
fn a_quiz_of_predictions_cannot_be_passed() {
    let body = "```python lab id=copy\nx\n```\n";
    let quiz = question("predict", "lab = \"copy\"\nmetric = \"host_ms\"");
    assert_snapshot!(shown(&course_of(body, &format!("{QUIZ}{quiz}"))), @r"
    quizzes/lesson.toml:1:1: error: no question of this quiz counts, so nobody can pass it
       | format = 1
       | ^
       = hint: add a question that is graded, or let a prediction have `counts = true`
    ");
}

#[test]
fn own_words_have_parts_and_neither_points_nor_a_key() {
    assert_snapshot!(wrong("words", "parts = [\"One.\", \"Two.\"]\npoints = 2\ncounts = false"), @r"
    quizzes/lesson.toml:20:1: error: a words question is not graded, so it has no `points`
       | points = 2
       | ^^^^^^
       = hint: leave it out
    quizzes/lesson.toml:21:1: error: a words question is not graded, so it has no `counts`
       | counts = false
       | ^^^^^^
       = hint: leave it out
    ");
    assert_snapshot!(wrong("words", "accept = [\"a\"]"), @r#"
    quizzes/lesson.toml:14:1: error: the words question has no `parts`
       | [[question]]
       | ^^^^^^^^^^^^
    quizzes/lesson.toml:19:1: error: unknown key `accept` in a words question
       | accept = ["a"]
       | ^^^^^^
       = hint: known are id, type, prompt, hints, explain, see, parts
    "#);
    assert_snapshot!(wrong("words", "parts = [\"One.\"]"), @r#"
    quizzes/lesson.toml:19:9: error: `parts` has between 2 and 5 texts
       | parts = ["One."]
       |         ^^^^^^^^
    "#);
    assert_snapshot!(wrong("words", "parts = [\"One.\", 2, \"\"]"), @r#"
    quizzes/lesson.toml:19:18: error: `parts` should be a text in quotes, not this integer
       | parts = ["One.", 2, ""]
       |                  ^
    quizzes/lesson.toml:19:21: error: this text is empty
       | parts = ["One.", 2, ""]
       |                     ^^
    "#);
    let six = "parts = [\"1.\", \"2.\", \"3.\", \"4.\", \"5.\", \"6.\"]";
    assert_snapshot!(wrong("words", six), @r#"
    quizzes/lesson.toml:19:9: error: `parts` has between 2 and 5 texts
       | parts = ["1.", "2.", "3.", "4.", "5.", "6."]
       |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
}

#[test]
fn a_quiz_of_own_words_cannot_be_passed() {
    let quiz = question("words", "parts = [\"One.\", \"Two.\"]");
    assert_snapshot!(shown(&course_of("x\n", &format!("{QUIZ}{quiz}"))), @r"
    quizzes/lesson.toml:1:1: error: no question of this quiz counts, so nobody can pass it
       | format = 1
       | ^
       = hint: add a question that is graded, or let a prediction have `counts = true`
    ");
}

#[test]
fn own_words_are_for_a_question_as_long_as_its_parts_stay() {
    let hash = |parts: &str| {
        let text = question("words", &format!("parts = [{parts}]\nhints = [\"h\"]"));
        let (course, _) = parse(&course_of("x\n", &format!("{QUIZ}{text}")));
        let quiz = course.lessons[0].quiz.as_ref().unwrap();
        let (question, _) = quiz.in_own_words().next().unwrap();
        question.hash.clone()
    };
    assert_eq!(hash("\"a\", \"b\""), hash("\"a\" , \"b\""));
    assert_ne!(hash("\"a\", \"b\""), hash("\"b\", \"a\""));
}

#[test]
fn texts_of_choices_may_look_like_blocks() {
    let options = "options = [
  { id = \"a\", text = \"1. one\", correct = true },
  { id = \"b\", text = \"# two\", feedback = \"- f\" },
  { id = \"c\", text = \"**three** `f<<<1>>>()`\" },
  { id = \"d\", text = \"...\" },
]";
    let text = question("single", options);
    let (course, _) = parse(&course_of("x\n", &format!("{QUIZ}{text}")));
    let quiz = course.lessons[0].quiz.as_ref().unwrap();
    let QuestionKind::Single(kinds::SingleChoice { options, .. }) = &quiz.questions[0].kind else {
        panic!("no single choice");
    };
    let texts: Vec<_> = options.iter().map(|it| looks(&it.text)).collect();
    assert_eq!(
        texts,
        ["1. one", "# two", "{three:strong} {f<<<1>>>():code}", "..."]
    );
}

#[test]
fn the_hash_follows_the_key_and_not_the_feedback() {
    let hash = |text: &str| {
        let (course, _) = parse(&course_of("x\n", &format!("{QUIZ}{text}")));
        course.lessons[0].quiz.as_ref().unwrap().questions[0]
            .hash
            .clone()
    };
    let same = QUESTION
        .replace("Why not?", "Because.")
        .replace("It is.", "Yes.")
        .replace("\"Fine?\"", "\" Fine?  \"");
    assert_eq!(hash(QUESTION), hash(&same));
    assert_ne!(hash(QUESTION), hash(&QUESTION.replace("Fine?", "Good?")));
    assert_ne!(
        hash(QUESTION),
        hash(&QUESTION.replace("\"no\"", "\"never\""))
    );
    assert_eq!(hash(QUESTION).len(), 8);
}

#[test]
fn only_what_counts_can_be_in_the_short_quiz() {
    assert_snapshot!(wrong("words", "parts = [\"One.\", \"Two.\"]\nshort = true"), @r"
    quizzes/lesson.toml:20:1: error: a words question is not graded, so it has no `short`
       | short = true
       | ^^^^^
       = hint: leave it out
    ");
    assert_snapshot!(wrong("predict", "lab = \"copy\"\nmetric = \"host_ms\"\nshort = true"), @r"
    quizzes/lesson.toml:21:9: error: a prediction that does not count cannot be part of the short quiz
       | short = true
       |         ^^^^
       = hint: leave `short` out
    ");
    let alone = question("text", "accept = [\"a\"]\nshort = true");
    let other = question("text", "accept = [\"a\"]\nshort = false").replace("\"q\"", "\"r\"");
    let (course, _) = parse(&course_of("x\n", &format!("{QUIZ}{alone}{other}")));
    let quiz = course.lessons[0].quiz.as_ref().unwrap();
    let short: Vec<_> = quiz.short().map(|it| it.id.as_str()).collect();
    assert_eq!(short, ["q"]);
}
