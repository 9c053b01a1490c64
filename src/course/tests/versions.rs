//! Questions in several versions.

use super::*;
use insta::assert_snapshot;

const TWO: &str = "[[question.version]]\nmillion = 25\nanswer = 400\n\n[[question.version]]\nmillion = 60\nanswer = 960\n";

/// What is wrong with a question that has these keys and versions, and what its versions ask.
fn said(keys: &str, versions: &str) -> String {
    let question = format!(
        "[[question]]\nid = \"q-floor\"\ntype = \"numeric\"\nprompt = \"A model has {{million}} million.\"\n\
         explain = \"{{million}} × 16 = {{answer}}, and {{x}} stays.\"\n{keys}\n\n{versions}"
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
    q-floor of q-floor: A model has 25 million. 25 × 16 = 400, and {x} stays.
    q-floor-2 of q-floor: A model has 60 million. 60 × 16 = 960, and {x} stays.
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
       = help: write it in the question
    ");
    assert_snapshot!(said("", &TWO.replace("answer = 960", "answer = \"960\"")), @r#"
    error[wrong-type]: `answer` should be a number, not this string
      --> quizzes/lesson.toml:19:10
       |
    19 | answer = "960"
       |          ^^^^^
       |
       = help: write a number without quotes and without a unit, such as `24` or `0.5`
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
