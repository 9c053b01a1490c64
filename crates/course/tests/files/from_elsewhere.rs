//! Mistakes that come with a text from another tool, or from its habits: the first message leads to the cure.

use super::*;

#[test]
fn directives_in_braces_say_what_they_are_here() {
    let fence = |words: &str| diagnostics_of(&format!("```{words}\nText.\n```\n"));
    leads(&fence("{note}"), &["lesson.md:11:4", "write `> [!NOTE]`"]);
    leads(&fence("{Warning}"), &["write `> [!NOTE]`"]);
    leads(&fence("{figure} a.png"), &["text figure alt="]);
    leads(&fence("{math}"), &["formulas are not set"]);
    leads(&fence("{dropdown} Answer"), &["<details><summary>"]);
    leads(&fence("{code-block} python"), &["such as ```python"]);
    leads(&fence("{bash}"), &["write ```bash, without braces"]);
    leads(&fence("{tableofcontents}"), &["shown as they are written"]);
}

#[test]
fn a_lab_that_is_indented_in_a_list_is_the_only_message() {
    let body = "1. Run it:\n\n        ```python lab id=a\n        print(1)\n        ```\n\n\
                ```python check=a\nlab.check(\"b\", True)\n```\n";
    let said = diagnostics_of(body);
    leads(
        &said,
        &["lesson.md:13:8", "make it code", "```python lab id=a"],
    );
    assert_eq!(said.matches("error[").count(), 1, "{said}");
}

#[test]
fn a_back_tick_behind_a_fence_is_the_only_message() {
    let body = "```python lab id=a title=\"Call `f`\"\nf()\n```\n\n\
                ```python check=a\nlab.check(\"b\", True)\n```\n";
    let said = diagnostics_of(body);
    leads(&said, &["fence-form", "lesson.md:11:1", "`~~~`"]);
    assert_eq!(said.matches("error[").count(), 1, "{said}");
    let waves = body.replace("```python lab", "~~~python lab");
    let waves = waves.replacen("f()\n```", "f()\n~~~", 1);
    assert_eq!(diagnostics_of(&waves), "");

    let lab = "```python lab id=a\nf()\n```\n";
    let mut course = course_of(lab, &format!("{QUIZ}{QUESTION}"));
    let repairs = "```python wrong=a stops=\"Calls `f`\" title=\"No\"\n```\n";
    let file = "repairs/lesson.md".to_owned();
    course.files.insert(file.clone(), repairs.into());
    let said = shown(&course);
    leads(&said, &["fence-form", "repairs/lesson.md:1:1", "`~~~`"]);
    assert_eq!(said.matches("error[").count(), 1, "{said}");
    let waves = repairs.replace("```", "~~~");
    course.files.insert(file, waves.into());
    assert_eq!(shown(&course), "");
}

#[test]
fn a_head_in_yaml_gets_lines_of_toml() {
    let head = |old: &str, new: &str| {
        let head = HEAD.replace(old, new);
        shown(&sources(&[
            ("lessons/course.toml", MANIFEST),
            ("lessons/lesson.md", &format!("{head}Text.\n")),
            ("quizzes/lesson.toml", &format!("{QUIZ}{QUESTION}")),
        ]))
    };
    leads(
        &head("title = \"Lesson\"", "title: How large, and why?"),
        &["lesson.md:4", "`title = \"How large, and why?\"`"],
    );
    leads(&head("minutes = 5", "minutes: 5"), &["`minutes = 5`"]);
    let list = "objectives = [\"Say it.\"]";
    leads(
        &head(list, "objectives:\n  - Say it.\n  - Do it."),
        &["`objectives = [\"Say it.\", …]`"],
    );
    leads(
        &head(list, "objectives =\n  - Say it."),
        &["between brackets", "`objectives = [\"Say it.\"]`"],
    );
    leads(
        &head(list, "objectives ="),
        &["write a value behind `objectives =`"],
    );
}

#[test]
fn an_apostrophe_in_single_quotes_is_named() {
    let text = "[[question]]\nid = \"q-a\"\ntype = \"text\"\nprompt = 'What's it?'\n\
                accept = [\"it\"]\nexplain = \"So.\"\n";
    leads(
        &diagnostics_of_question(text),
        &[
            "What's it?",
            "an apostrophe inside of a text",
            "between `\"`",
        ],
    );
    let list = text
        .replace("'What's it?'", "\"It?\"")
        .replace("[\"it\"]", "['it', 'that's it', 'all']");
    leads(&diagnostics_of_question(&list), &["an apostrophe inside"]);
}

/// A question that draws a number.
const DRAWN: &str = r#"[[question]]
id = "q-drawn"
type = "numeric"
prompt = "How large are {n} numbers?"
draw = { n = [1000, 3000] }
answer = "n * 4 / 3"
tolerance = { rel = 0.01 }
explain = "{answer} B."
"#;

#[test]
fn signs_of_mathematics_say_what_python_writes() {
    assert_eq!(diagnostics_of_question(DRAWN), "");
    for (answer, part) in [
        ("n ^ 2", "write `**` for a power"),
        ("n²", "write `** 2`"),
        ("n × 4", "write `*`"),
        ("n · 4", "write `*`"),
        ("n ÷ 4", "write `/`"),
        ("n − 4", "`-` of the keyboard"),
        ("4 n", "write `*` between"),
        ("n * 1,000", "nothing between thousands"),
        ("y = n * 4", "there is no `y`"),
        ("n = 4", "what is right of the `=`"),
    ] {
        let text = DRAWN.replace("n * 4 / 3", answer);
        leads(&diagnostics_of_question(&text), &["answer = ", part]);
    }
}

#[test]
fn a_format_of_python_in_braces_is_a_warning() {
    let with = |braces: &str| diagnostics_of_question(&DRAWN.replace("{answer}", braces));
    leads(
        &with("{answer:.1f}"),
        &["unfilled-name", "`{answer:.1f}`", "`{round(answer, 1)}`"],
    );
    leads(&with("{n:,}"), &["learners read `{n:,}`", "write `{n}`"]);
    leads(&with("{n!r}"), &["write `{n}`"]);
    assert_eq!(with("`print(f'{n:.1f}')` {answer}"), "");
    assert_eq!(with("{m: 1} {answer}"), "");
}

#[test]
fn a_whole_as_a_share_is_a_percentage() {
    let with = |rel: &str| diagnostics_of_question(&DRAWN.replace("rel = 0.01", rel));
    leads(&with("rel = 1"), &["100 % of the answer", "`rel = 0.01`"]);
    assert_eq!(with("rel = 0.9"), "");
}

#[test]
fn keys_of_other_questions_say_what_is_there_instead() {
    let feedback = QUESTION
        .replace("q-fine", "q-two")
        .replace("explain", "feedback = \"No.\"\nexplain");
    leads(
        &diagnostics_of_question(&feedback),
        &["unknown key `feedback`", "into that option", "`explain`"],
    );
    let lab = "```python lab id=a predict=p\nlab.metric(\"x\", 1)\n```\n";
    let question = "[[question]]\nid = \"p\"\ntype = \"predict\"\nprompt = \"How?\"\nlab = \"a\"\n\
                    metric = \"x\"\nexplain = \"So.\"\ntolerance = { rel = 0.1 }\n";
    let shown = shown(&course_of(lab, &format!("{QUIZ}{QUESTION}{question}")));
    leads(
        &shown,
        &["unknown key `tolerance`", "`within_factor = 1.5`"],
    );
}

#[test]
fn markup_of_other_tools_is_a_warning_where_it_is_shown() {
    leads(
        &diagnostics_of("Text.\n\n{{< figure src=\"a.png\" >}}\n"),
        &["mark-shown", "lesson.md:13:1", "no template"],
    );
    leads(
        &diagnostics_of("view\n: a tensor\n"),
        &["lesson.md:12:1", "`- **word**: what it means`"],
    );
    leads(
        &diagnostics_of("It is so, see {ref}`copies`.\n"),
        &["lesson.md:11:15", "write a link"],
    );
    assert_eq!(
        diagnostics_of("`{{ x }}`, `\\item` and `:ref:` are code.\n"),
        ""
    );
}

#[test]
fn values_of_other_tools_get_those_of_this_format() {
    let manifest = |line: &str| {
        let manifest = MANIFEST.replace("lessons =", &format!("{line}\nlessons ="));
        shown(&sources(&[
            ("lessons/course.toml", &manifest),
            ("lessons/lesson.md", &format!("{HEAD}Text.\n")),
            ("quizzes/lesson.toml", &format!("{QUIZ}{QUESTION}")),
        ]))
    };
    leads(
        &manifest("pass = \"80 %\""),
        &["course.toml:5", "`pass = { above_percent = 80 }`"],
    );
    leads(
        &manifest("language = \"en_GB\""),
        &["`language = \"en-GB\"`"],
    );
    leads(&manifest("language = \"klingon\""), &["two small letters"]);
    let question = |old: &str, new: &str| {
        let question = QUESTION.replace("q-fine", "q-two").replace(old, new);
        diagnostics_of_question(&question)
    };
    leads(
        &question("text = \"no\"", "pin = true, text = \"no\""),
        &["`pin = \"last\"`"],
    );
    leads(
        &question("\"single\"", "\"numeric\""),
        &[
            "has no `answer`",
            "`type = \"single\"` or `type = \"multi\"`",
        ],
    );
    let number = |line: &str| diagnostics_of_question(&format!("{DRAWN}{line}\n"));
    leads(&number("unit = \"MByte\""), &["write `unit = \"MB\"`"]);
    let answer = DRAWN.replace("\"n * 4 / 3\"", "1.000.000");
    leads(&diagnostics_of_question(&answer), &["`answer = 1_000_000`"]);
}

#[test]
fn bullets_of_a_word_processor_are_no_list() {
    leads(
        &diagnostics_of("These:\n\n• a view\n• a clone\n"),
        &["lesson.md:13:1", "write `- `"],
    );
}

#[test]
fn arithmetic_without_drawn_numbers_is_a_number() {
    let text = "[[question]]\nid = \"q-n\"\ntype = \"numeric\"\nprompt = \"How many?\"\nanswer = \"1/4\"\nexplain = \"So.\"\n";
    leads(
        &diagnostics_of_question(text),
        &["wrong-type", "the number that it comes to", "`draw`"],
    );
    let near = text
        .replace("numeric", "text")
        .replace("answer = \"1/4\"", "accept = [\"a\"]\nnear = [\"b\"]");
    leads(
        &diagnostics_of_question(&near),
        &["`near = [{ text = \"b\", feedback = \"…\" }]`"],
    );
}

#[test]
fn keys_below_a_version_say_whose_they_are() {
    let text = "[[question]]\nid = \"q-n\"\ntype = \"numeric\"\nprompt = \"How many are {n}?\"\nexplain = \"So.\"\n\
                [[question.version]]\nn = 1\nanswer = 1\n[[question.version]]\nn = 2\nanswer = 2\npoints = 2\n";
    leads(
        &diagnostics_of_question(text),
        &[
            "`points` is the same",
            "above the first `[[question.version]]`",
        ],
    );
}

#[test]
fn an_id_with_marks_gets_plain_letters() {
    let said = diagnostics_of_question(&QUESTION.replace("q-fine", "q-größe"));
    leads(&said, &["id-form", "write `q-groesse`"]);
}

#[test]
fn a_type_that_is_missing_is_that_of_the_other_keys() {
    let missing = |keys: &str| {
        diagnostics_of_question(&format!(
            "[[question]]\nid = \"q-n\"\nprompt = \"How?\"\nexplain = \"So.\"\n{keys}\n"
        ))
    };
    leads(
        &missing("accept = [\"a\"]"),
        &["no `type`", "`type = \"text\"`"],
    );
    leads(&missing("answer = 4"), &["`type = \"numeric\"`"]);
    leads(&missing("partial = true"), &["`type = \"single\"`"]);
}

#[test]
fn numbers_in_quotes_keep_their_value() {
    let with = |answer: &str| {
        diagnostics_of_question(&format!(
            "[[question]]\nid = \"q-n\"\ntype = \"numeric\"\nprompt = \"How many?\"\nexplain = \"So.\"\nanswer = \"{answer}\"\n"
        ))
    };
    leads(&with("8e6"), &["`answer = 8e6`"]);
    leads(&with("1,000"), &["`answer = 1000`"]);
    leads(&with("0,5"), &["`answer = 0.5`"]);
    leads(&with("-3 MB"), &["`answer = -3`"]);
}

#[test]
fn a_second_head_and_a_question_in_another_language_are_named() {
    leads(
        &diagnostics_of("+++\nformat = 1\n+++\n\nText.\n"),
        &["lesson.md:11:1", "one head"],
    );
    let quiz = format!("{QUIZ}{QUESTION}").replace("[[question]]", "[[frage]]");
    leads(
        &shown(&course_of("Text.\n", &quiz)),
        &["unknown key `frage`", "`[[question]]`"],
    );
}
