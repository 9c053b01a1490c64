//! Quizzes that say `keys = false`.

use super::*;
use insta::assert_snapshot;

/// What is said about a quiz of one question of the sample course.
fn found(question: &str) -> String {
    let quiz = format!(
        "format = 1\nid = \"copies\"\ntitle = \"C\"\nkeys = false\n\n[[question]]\nid = \"q\"\n{question}\n"
    );
    let (_, found) = sample::changed(|file, text| match file {
        "quizzes/copies.toml" => quiz.clone(),
        _ => text.to_owned(),
    });
    let found = found.iter().map(|it| it.render(&quiz));
    found.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_question_of_each_kind_needs_no_key() {
    for question in [
        "type = \"single\"\nprompt = \"?\"\noptions = [{ id = \"a\", text = \"A\" }, { id = \"b\", text = \"B\" }]",
        "type = \"multi\"\nprompt = \"?\"\nshuffle = false\noptions = [{ id = \"a\", text = \"A\" }, { id = \"b\", text = \"B\", pin = \"last\" }]",
        "type = \"numeric\"\nprompt = \"?\"\nunit = \"KiB\"\naccepted = [\"MiB\"]\nsee = \"#the-bus\"",
        "type = \"text\"\nprompt = \"?\"\nhints = [\"!\"]\npoints = 3",
        "type = \"order\"\nprompt = \"?\"\nitems = [{ id = \"a\", text = \"A\" }, { id = \"b\", text = \"B\" }]",
        "type = \"match\"\nprompt = \"?\"\npairs = [{ id = \"a\", left = \"A\", right = \"1\" }, { id = \"b\", left = \"B\", right = \"2\" }]",
        "type = \"numeric\"\n[[question.version]]\nprompt = \"1?\"\n[[question.version]]\nprompt = \"2?\"\n",
    ] {
        assert_eq!(found(question), "", "{question}");
    }
}

#[test]
fn a_key_that_is_there_all_the_same_is_a_warning() {
    assert_snapshot!(found("type = \"numeric\"\nprompt = \"?\"\nanswer = 12\nexplain = \"So.\""), @r#"
    warning[key-not-used]: the quiz says `keys = false`, so `answer` of this question is not used, and learners can read it
      --> quizzes/copies.toml:10:1
       |
    10 | answer = 12
       | ^^^^^^
       |
       = help: remove it, as `warpup pack --no-keys` does; or remove `keys = false`, and warpup grades the quiz

    warning[key-not-used]: the quiz says `keys = false`, so `explain` of this question is not used, and learners can read it
      --> quizzes/copies.toml:11:1
       |
    11 | explain = "So."
       | ^^^^^^^
       |
       = help: remove it, as `warpup pack --no-keys` does; or remove `keys = false`, and warpup grades the quiz
    "#);
    assert_snapshot!(found("type = \"single\"\nprompt = \"?\"\noptions = [{ id = \"a\", text = \"A\", correct = true }, { id = \"b\", text = \"B\", feedback = \"No.\" }]"), @"
    warning[key-not-used]: the quiz says `keys = false`, so `correct` of this question is not used, and learners can read it
     --> quizzes/copies.toml:6:1
      |
    6 | [[question]]
      | ^^^^^^^^^^^^
      |
      = help: remove it, as `warpup pack --no-keys` does; or remove `keys = false`, and warpup grades the quiz

    warning[key-not-used]: the quiz says `keys = false`, so `feedback` of this question is not used, and learners can read it
     --> quizzes/copies.toml:6:1
      |
    6 | [[question]]
      | ^^^^^^^^^^^^
      |
      = help: remove it, as `warpup pack --no-keys` does; or remove `keys = false`, and warpup grades the quiz
    ");
    assert_snapshot!(found("type = \"match\"\nprompt = \"?\"\npairs = [{ id = \"a\", left = \"A\", right = \"1\", feedback = \"No.\" }, { id = \"b\", left = \"B\", right = \"2\" }]"), @"
    warning[key-not-used]: the quiz says `keys = false`, so `feedback` of this question is not used, and learners can read it
     --> quizzes/copies.toml:6:1
      |
    6 | [[question]]
      | ^^^^^^^^^^^^
      |
      = help: remove it, as `warpup pack --no-keys` does; or remove `keys = false`, and warpup grades the quiz
    ");
}

#[test]
fn a_mistake_in_it_is_an_error_as_in_any_quiz() {
    assert_snapshot!(found("type = \"order\"\nprompt = \"?\"\nitems = [{ id = \"a\", text = \"A\" }]\nansver = 1"), @r#"
    error[choice-count]: `items` has between 2 and 26 entries
      --> quizzes/copies.toml:10:9
       |
    10 | items = [{ id = "a", text = "A" }]
       |         ^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: write at least two, and at most as many as there are letters

    error[unknown-key]: unknown key `ansver` in an order question
      --> quizzes/copies.toml:11:1
       |
    11 | ansver = 1
       | ^^^^^^
       |
       = help: known are id, type, prompt, points, short, always, hints, explain, see, items, version, also, partial
    "#);
}
