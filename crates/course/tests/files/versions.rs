//! Questions in several versions.

use super::*;
use insta::assert_snapshot;

const TWO: &str = "[[question.version]]\nmillion = 25\nanswer = 400\n\n[[question.version]]\nmillion = 60\nanswer = 960\n";

/// What is wrong with a question that has these keys and versions, and what its versions ask.
fn said(keys: &str, versions: &str) -> String {
    let question = format!(
        "[[question]]\nid = \"q-floor\"\ntype = \"numeric\"\nprompt = \"A model has {{million}} million.\"\n\
         explain = \"{{million}} × 16 = {{answer}}, and {{x, y}} stay.\"\n{keys}\n\n{versions}"
    );
    let sources = course_of("x\n", &format!("{QUIZ}\n{question}"));
    let (course, _) = parse(&sources);
    let mut said = shown(&sources);
    let Some(quiz) = course.lessons.first().and_then(|it| it.quiz.as_ref()) else {
        return said;
    };
    for question in &quiz.questions {
        let texts = [&question.prompt, &question.explain].map(|it| plain(it));
        let of = question.version_of.as_ref();
        let of = of.map_or_else(String::new, |it| format!(" of {it}"));
        said.extend([question.id.as_str(), &of, ": ", &texts.join(" "), "\n"]);
    }
    said.extend(["asks ", &quiz.asks().to_string()]);
    said
}

fn plain(blocks: &[Block]) -> String {
    let texts = blocks.iter().filter_map(|it| {
        if let BlockKind::Paragraph(text) = &it.kind {
            Some(text.plain())
        } else {
            None
        }
    });
    texts.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_version_puts_its_numbers_into_the_texts() {
    assert_snapshot!(said("", TWO), @"
    q-floor of q-floor: A model has 25 million. 25 × 16 = 400, and {x, y} stay.
    q-floor-2 of q-floor: A model has 60 million. 60 × 16 = 960, and {x, y} stay.
    asks 1
    ");
}

#[test]
fn what_does_not_fit_together_is_an_error_at_its_place() {
    let one = "[[question.version]]\nmillion = 25\nanswer = 400\n";
    assert_snapshot!(said("", one), @"
    error[one-version]: a question has two versions or more
      --> quizzes/lesson.toml:13:12
       |
    13 | [[question.version]]
       |            ^^^^^^^
       |
       = help: write another `[[question.version]]`, or put these keys into the question
    ");
    assert_snapshot!(said("", &TWO.replacen("million", "milion", 1)), @"
    error[unknown-name]: the first version has no `million`
      --> quizzes/lesson.toml:18:1
       |
    18 | million = 60
       | ^^^^^^^
       |
       = help: did you mean `milion`?
    ");
    assert_snapshot!(said("", &TWO.replacen("million = 60\n", "", 1)), @"
    error[missing-key]: this version has no `million`
      --> quizzes/lesson.toml:17:1
       |
    17 | [[question.version]]
       | ^^^^^^^^^^^^^^^^^^^^
       |
       = help: all versions have the same names: write it here, too
    ");
    assert_snapshot!(said("", &TWO.replace("million = 60", "million = [60]")), @"
    error[wrong-type]: `million` should be a number or a text in quotes
      --> quizzes/lesson.toml:18:11
       |
    18 | million = [60]
       |           ^^^^
       |
       = help: put it in quotes, or correct the name of a key that it replaces
    ");
    assert_snapshot!(said("", &TWO.replace("answer = 960", "answer = 960\npoints = 2")), @"
    error[fixed-in-versions]: `points` is the same in all versions
      --> quizzes/lesson.toml:20:1
       |
    20 | points = 2
       | ^^^^^^
       |
       = help: write it above the first `[[question.version]]`: all lines below that belong to the version
    ");
    assert_snapshot!(said("", &TWO.replace("answer = 960", "answer = \"960\"")), @r#"
    error[wrong-type]: `answer` should be a number, not this string
      --> quizzes/lesson.toml:19:10
       |
    19 | answer = "960"
       |          ^^^^^
       |
       = help: write a number without quotes and without a unit: `answer = 960`
    "#);
    let words = TWO.replace("answer", "why");
    assert_snapshot!(said("", &words).replace("numeric", "words"), @"
    error[unused-name]: no text of the question has `{why}`
      --> quizzes/lesson.toml:15:1
       |
    15 | why = 400
       | ^^^
       |
       = help: known are prompt, hints, explain, answer, tolerance, unit, accepted, near
    ");
}

#[test]
fn a_question_of_a_kind_that_is_not_drawn_has_no_versions() {
    let sources = course_of(
        "x\n",
        &format!(
            "{QUIZ}\n[[question]]\nid = \"q-why\"\ntype = \"words\"\nprompt = \"Why?\"\nexplain = \"So.\"\nparts = [\"a\", \"b\"]\n{TWO}"
        ),
    );
    assert_snapshot!(shown(&sources), @"
    error[versions-not-allowed]: a words question has no versions
      --> quizzes/lesson.toml:12:12
       |
    12 | [[question.version]]
       |            ^^^^^^^
       |
       = help: only questions that always count are drawn for an attempt
    ");
}

/// A question whose answer is computed, with these keys.
fn computed(keys: &str) -> String {
    let sources = course_of(
        "x\n",
        &format!(
            "{QUIZ}\n[[question]]\nid = \"q-floor\"\nexplain = \"{{million}} × 16 = {{answer}} MB, {{answer / 1000}} GB, {{x, y}}.\"\n{keys}\n"
        ),
    );
    let (course, _) = parse(&sources);
    let mut said = shown(&sources);
    let quiz = course.lessons.first().and_then(|it| it.quiz.as_ref());
    for question in quiz.iter().flat_map(|it| &it.questions) {
        let QuestionKind::Numeric(kind) = &question.kind else {
            continue;
        };
        let key = kind.key.as_ref().unwrap();
        let near: Vec<_> = key.near.iter().map(|it| it.value).collect();
        let texts = [&question.prompt, &question.explain].map(|it| plain(it));
        let (id, answer) = (&question.id, key.answer);
        let texts = texts.join(" ");
        said.extend([format!("{id} = {answer}, near {near:?}: {texts}\n")]);
    }
    said
}

const DRAWN: &str = "type = \"numeric\"\nprompt = \"A model has {million} million.\"\nanswer = \"million * 16\"\nnear = [{ value = \"million * 4\", feedback = \"Those are the weights, {million * 4} MB.\" }]\n";

#[test]
fn numbers_are_drawn_and_the_answer_is_computed() {
    let all = computed(&format!("{DRAWN}draw = {{ million = [25, 62.5, 125] }}"));
    assert_snapshot!(all, @"
    q-floor = 400, near [100.0]: A model has 25 million. 25 × 16 = 400 MB, 0.4 GB, {x, y}.
    q-floor-2 = 1000, near [250.0]: A model has 62.5 million. 62.5 × 16 = 1000 MB, 1 GB, {x, y}.
    q-floor-3 = 2000, near [500.0]: A model has 125 million. 125 × 16 = 2000 MB, 2 GB, {x, y}.
    ");
    let range = computed(&format!(
        "{DRAWN}draw = {{ million = {{ from = 0.1, to = 0.3, step = 0.1 }} }}"
    ));
    assert_snapshot!(range, @"
    q-floor = 1.6, near [0.4]: A model has 0.1 million. 0.1 × 16 = 1.6 MB, 0.0016 GB, {x, y}.
    q-floor-2 = 3.2, near [0.8]: A model has 0.2 million. 0.2 × 16 = 3.2 MB, 0.0032 GB, {x, y}.
    q-floor-3 = 4.8, near [1.2]: A model has 0.3 million. 0.3 × 16 = 4.8 MB, 0.0048 GB, {x, y}.
    ");
}

#[test]
fn a_claim_that_the_grader_sees_otherwise_is_reported_for_one_version() {
    let keys = format!("{DRAWN}draw = {{ million = [25, 62.5, 125] }}");
    let keys = keys.replace(
        "near = [",
        "near = [{ value = \"million * 16\", feedback = \"No.\" }, ",
    );
    assert_snapshot!(computed(&keys), @r#"
    error[key-disagrees]: question `q-floor`: near miss 400 is graded right
      --> quizzes/lesson.toml:12:9
       |
    12 | near = [{ value = "million * 16", feedback = "No." }, { value = "million * 4", feedback = "Those are…
       |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: change the key or this claim, so that both say the same
    q-floor = 400, near [400.0, 100.0]: A model has 25 million. 25 × 16 = 400 MB, 0.4 GB, {x, y}.
    q-floor-2 = 1000, near [1000.0, 250.0]: A model has 62.5 million. 62.5 × 16 = 1000 MB, 1 GB, {x, y}.
    q-floor-3 = 2000, near [2000.0, 500.0]: A model has 125 million. 125 × 16 = 2000 MB, 2 GB, {x, y}.
    "#);
}

#[test]
fn of_many_combinations_twelve_are_drawn_that_differ_in_each_number() {
    let keys = DRAWN.replace("{million} million", "{million} million in {cards} parts");
    let keys = format!(
        "{keys}draw = {{ million = {{ from = 10, to = 200, step = 10 }}, cards = [1, 2, 4, 8] }}"
    );
    let all = computed(&keys);
    let rows: Vec<&str> = all.lines().collect();
    assert_eq!(rows.len(), 12, "{all}");
    let cards = ["in 1 ", "in 2 ", "in 4 ", "in 8 "];
    let each = cards.map(|it| rows.iter().filter(|row| row.contains(it)).count());
    assert_eq!(each, [3, 3, 3, 3], "{all}");
    let mut different = rows.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 12, "{all}");
}

#[test]
fn what_cannot_be_drawn_is_an_error_at_its_place() {
    let wrong = [
        DRAWN.replace("million * 16", "milion * 16") + "draw = { million = [25, 60] }",
        DRAWN.to_owned() + "draw = { million = [25] }",
        DRAWN.to_owned() + "draw = { million = [25, 60], cards = [1, 2] }",
        DRAWN.to_owned() + "draw = { million = [25, 60], max = [1, 2] }",
        DRAWN.to_owned() + "draw = { million = \"25\" }",
        DRAWN.to_owned() + "draw = 25",
        DRAWN.to_owned() + "draw = { million = [25, 60] }\n[[question.version]]\nmillion = 1",
        DRAWN.replace("numeric", "text") + "draw = { million = [25, 60] }",
        DRAWN.replace("million * 16", "16 / million") + "draw = { million = [0, 60] }",
    ];
    let first = wrong.map(|it| computed(&it).lines().next().unwrap_or_default().to_owned());
    assert_snapshot!(first.join("\n"), @"
    error[expression]: `milion * 16` cannot be computed with million = 25: there is no `milion`; there are million
    error[draw-form]: there is only one number to draw
    error[unused-name]: the prompt has no `{cards}`
    error[draw-form]: `max` cannot be the name of a drawn number
    error[draw-form]: `million` is not a list of numbers
    error[draw-form]: `draw` gives a name to numbers
    error[draw-form]: a question has either `draw` or versions
    error[draw-form]: only a numeric question draws numbers
    error[expression]: `16 / million` cannot be computed with million = 0: it divides by zero
    ");
}

#[test]
fn a_word_in_braces_that_is_no_name_is_a_warning_at_its_place() {
    let draw = "draw = { million = [25, 60] }";
    let warned = |prompt: &str| {
        let keys = DRAWN.replace("{million} million.", prompt);
        let said = computed(&format!("{keys}{draw}"));
        said.split("q-floor = ")
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    assert_snapshot!(warned("{million} million, {milion} of {them}."), @r#"
    warning[unfilled-name]: `milion` is not a name of this question, so learners read `{milion}`
      --> quizzes/lesson.toml:10:43
       |
    10 | prompt = "A model has {million} million, {milion} of {them}."
       |                                           ^^^^^^
       |
       = help: did you mean `million`?
    warning[unfilled-name]: `them` is not a name of this question, so learners read `{them}`
      --> quizzes/lesson.toml:10:55
       |
    10 | prompt = "A model has {million} million, {milion} of {them}."
       |                                                       ^^^^
       |
       = help: known are answer, million
    "#);
    // Python has braces, too; sets and formulas are not names.
    assert_eq!(warned("{million}: `f'{x}'` is {}, {1, 2} or { x }."), "");
    assert_snapshot!(warned("{million}: `{milion}`."), @r#"
    warning[unfilled-name]: `milion` is not a name of this question, so learners read `{milion}`
      --> quizzes/lesson.toml:10:36
       |
    10 | prompt = "A model has {million}: `{milion}`."
       |                                    ^^^^^^
       |
       = help: did you mean `million`?
    "#);
    let versions = TWO.replace("answer = 960", "answer = 960\nhints = [\"{milion}\"]");
    let said = said("", &versions);
    assert_snapshot!(said.split("q-floor of").next().unwrap_or_default(), @r#"
    warning[unfilled-name]: `milion` is not a name of this question, so learners read `{milion}`
      --> quizzes/lesson.toml:20:12
       |
    20 | hints = ["{milion}"]
       |            ^^^^^^
       |
       = help: did you mean `million`?
    "#);
}

#[test]
fn a_name_that_the_prompt_does_not_have_is_named_where_it_is_mistyped() {
    let draw = "draw = { million = [25, 60], columns = [4, 8] }";
    let of = |word: &str| {
        let keys = DRAWN.replace("{million} million.", &format!("{{million}} {word}."));
        computed(&format!("{keys}{draw}"))
    };
    assert_snapshot!(of("and {cols}"), @r#"
    error[unused-name]: the prompt has no `{columns}`
      --> quizzes/lesson.toml:10:38
       |
    10 | prompt = "A model has {million} and {cols}."
       |                                      ^^^^
       |
       = help: did you mean `columns`?
    "#);
    assert_snapshot!(of("of {x} and {colums}"), @r#"
    error[unused-name]: the prompt has no `{columns}`
      --> quizzes/lesson.toml:10:45
       |
    10 | prompt = "A model has {million} of {x} and {colums}."
       |                                             ^^^^^^
       |
       = help: did you mean `columns`?
    "#);
}

#[test]
fn a_name_of_draw_that_prompt_and_answer_have_otherwise_is_told_there() {
    let said = computed(&format!("{DRAWN}draw = {{ millions = [25, 60] }}"));
    assert_snapshot!(said, @"
    error[unused-name]: the prompt and `answer` have `million`, and `draw` has `millions`
      --> quizzes/lesson.toml:13:10
       |
    13 | draw = { millions = [25, 60] }
       |          ^^^^^^^^
       |
       = help: did you mean `million`?
    ");
}
