//! Moodle XML in, a quiz out.

use super::*;
use crate::remark::Remarks;
use crate::tests as sample;
use proptest::prelude::*;
use warpup_course::{BlockKind, QuestionKind, Quiz, Text};

/// The quiz without its head, and all remarks.
fn shown(text: &str) -> String {
    let imported = match read(text, "Sample") {
        Ok(imported) => imported,
        Err(why) => return format!("error: {}: {}", why.place, why.what),
    };
    if imported.quiz.is_some() {
        sample::quiz(&imported);
    }
    sample::shown(&imported)
}

fn quiz(questions: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n{questions}\n</quiz>\n")
}

#[test]
#[expect(clippy::too_many_lines, reason = "most lines are the quiz")]
fn every_kind_becomes_a_question() {
    let text = quiz(
        r#"
<question type="category"><category><text>$course$/top/Cards</text></category></question>
<question type="multichoice">
  <name><text>Where is it?</text></name>
  <questiontext format="html"><text><![CDATA[<p>Where is <b>a + b</b>?</p><pre>a + b
c</pre>]]></text><file name="x.png" encoding="base64">AAAA</file></questiontext>
  <generalfeedback format="html"><text>&lt;p&gt;Where its inputs &amp;amp; outputs are.&lt;/p&gt;</text></generalfeedback>
  <defaultgrade>2.0000000</defaultgrade><single>true</single><shuffleanswers>0</shuffleanswers>
  <answer fraction="100" format="html"><text>On the card</text><feedback format="html"><text>Yes.</text></feedback></answer>
  <answer fraction="0" format="html"><text>On the host</text><feedback><text></text></feedback></answer>
  <hint format="html"><text>Think of its inputs.</text></hint>
</question>
<question type="multichoice">
  <name><text>Which</text></name><questiontext format="markdown"><text>Which are `primes`?</text></questiontext>
  <single>false</single>
  <answer fraction="50"><text>2</text></answer><answer fraction="50"><text>3</text></answer>
  <answer fraction="-50"><text>4</text></answer>
</question>
<question type="truefalse">
  <name><text>tf</text></name><questiontext format="plain_text"><text>Is 2*2 = 4?</text></questiontext>
  <answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text><feedback><text>Count.</text></feedback></answer>
</question>
<question type="numerical">
  <name><text>size</text></name><questiontext><text>How large?</text></questiontext>
  <answer fraction="100"><text>24</text><tolerance>0.5</tolerance><feedback><text>Six times four.</text></feedback></answer>
  <answer fraction="0"><text>6</text><tolerance>0</tolerance><feedback><text>Numbers, not bytes.</text></feedback></answer>
  <units><unit><multiplier>1</multiplier><unit_name>MiB</unit_name></unit></units>
</question>
<question type="shortanswer">
  <name><text>tool</text></name><questiontext><text>Which tool?</text></questiontext><usecase>1</usecase>
  <answer fraction="100"><text>nvidia-smi</text></answer><answer fraction="0"><text>*</text><feedback><text>No.</text></feedback></answer>
</question>
<question type="matching">
  <name><text>pairs</text></name><questiontext><text>Match.</text></questiontext>
  <subquestion format="html"><text><![CDATA[<p>host</p>]]></text><answer><text>CPU</text></answer></subquestion>
  <subquestion format="html"><text>card</text><answer><text>GPU</text></answer></subquestion>
  <subquestion format="html"><text></text><answer><text>TPU</text></answer></subquestion>
</question>
<question type="essay"><name><text>why</text></name><questiontext><text>Why?</text></questiontext></question>
<question type="cloze"><name><text>c</text></name><questiontext><text>{1:SHORTANSWER:=x}</text></questiontext></question>
<question type="calculated"><name><text>d</text></name></question>"#,
    );
    insta::assert_snapshot!(shown(&text), @r#"
    # Category: $course$/top/Cards
    [[question]]
    id = "where-is-it"
    type = "single"
    prompt = """
    Where is **a + b**?

    ```
    a + b
    c
    ```
    """
    points = 2
    options = [
      { id = "a", text = "On the card", correct = true, feedback = "Yes." },
      { id = "b", text = "On the host" },
    ]
    shuffle = false
    hints = ["Think of its inputs."]
    explain = "Where its inputs & outputs are."

    # Category: $course$/top/Cards
    [[question]]
    id = "which"
    type = "multi"
    prompt = "Which are `primes`?"
    options = [
      { id = "a", text = "2", correct = true },
      { id = "b", text = "3", correct = true },
      { id = "c", text = "4" },
    ]
    partial = true
    explain = "Right: 2; 3"

    # Category: $course$/top/Cards
    [[question]]
    id = "tf"
    type = "single"
    prompt = 'Is 2\*2 = 4?'
    options = [
      { id = "true", text = "True", correct = true },
      { id = "false", text = "False", feedback = "Count." },
    ]
    shuffle = false
    explain = "Right: True"

    # Category: $course$/top/Cards
    [[question]]
    id = "size"
    type = "numeric"
    prompt = "How large?"
    answer = 24
    tolerance = { abs = 0.5 }
    unit = "MiB"
    near = [
      { value = 6, feedback = "Numbers, not bytes." },
    ]
    explain = "Six times four."

    # Category: $course$/top/Cards
    [[question]]
    id = "tool"
    type = "text"
    prompt = "Which tool?"
    accept = ["nvidia-smi"]
    case = true
    explain = "Right: nvidia-smi"

    # Category: $course$/top/Cards
    [[question]]
    id = "pairs"
    type = "match"
    prompt = "Match."
    pairs = [
      { id = "a", left = "host", right = "CPU" },
      { id = "b", left = "card", right = "GPU" },
    ]
    explain = "Right: host: CPU; card: GPU"

    # Category: $course$/top/Cards
    [[question]]
    id = "why"
    type = "words"
    prompt = "Why?"
    parts = [
      "Write here what a good explanation says first.",
      "Write here what it says next.",
    ]
    explain = "Write here what a good explanation says."
    left out: line 42 (c): it has its questions inside of its text (cloze): make each one a question
    left out: line 43 (d): warpup has no questions of Moodle's type `calculated`
    changed: line 31 (tool): feedback for any other answer is left out
    changed: line 35 (pairs): a right side that belongs to no left one is left out
    changed: line 15 (Which), line 21 (tf), line 31 (tool), line 35 (pairs), line 41 (why): there is no explanation: `explain` repeats what is right, write why
    changed: line 41 (why): it does not list the parts of a good explanation: write them in `parts`
    "#);
}

#[test]
fn a_broken_file_says_where_and_what_to_do() {
    let bomb = "<!DOCTYPE quiz [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<quiz>&b;</quiz>";
    insta::assert_snapshot!(shown(bomb), @"error: line 1: it has a document type, which Moodle never writes: remove `<!DOCTYPE …>`");
    insta::assert_snapshot!(shown("<quiz>\n<question type=\"essay\">\n<name></question></quiz>"), @"error: line 3: ill-formed document: expected `</name>`, but `</question>` was found");
    insta::assert_snapshot!(shown("<quiz>\n<question>"), @"error: line 2: it ends inside of a question: the file is cut off");
    insta::assert_snapshot!(shown("<html>\n</html>"), @"error: line 1: its root is `<html>`, not `<quiz>`: export the questions from Moodle as *Moodle XML format*");
    insta::assert_snapshot!(shown("What? {=a ~b}"), @"error: line 1: it is not XML: export the questions from Moodle as *Moodle XML format*");
    insta::assert_snapshot!(shown("<quiz>\n\n&outside;</quiz>"), @"error: line 3: it has an entity that XML does not know: write the character itself");
    let deep = format!("<quiz><question>{}", "<a>".repeat(100_000));
    insta::assert_snapshot!(shown(&deep), @"error: line 1: it has more elements in one question than Moodle writes");
    let many = quiz(&format!(
        "<question type=\"essay\">{}</question>",
        "<a/>".repeat(100)
    ));
    insta::assert_snapshot!(shown(&many), @"left out: line 3: it has no question text");
}

proptest! {
    #[test]
    fn no_text_is_too_broken(pieces in prop::collection::vec(prop_oneof![
        any::<char>().prop_map(|it| it.to_string()),
        prop::sample::select(vec!["<quiz>", "</quiz>", "<question type=\"multichoice\">", "</question>", "<answer fraction=\"100\">",
            "</answer>", "<text>", "</text>", "<questiontext>", "</questiontext>", "<![CDATA[", "]]>", "&lt;", "&#1;", "&x;", "<", ">",
            "<!--", "-->", "a", "<?", "?>", "\n"]).prop_map(str::to_owned),
    ], 0..40)) {
        let text = pieces.concat();
        shown(&text);
        shown(&quiz(&text));
    }
}

#[test]
fn the_shipped_quizzes_are_the_same_after_an_export_and_an_import() {
    for quiz in sample::shipped() {
        let text = write(&[&quiz], &mut Remarks::default());
        let Ok(imported) = read(&text, &quiz.title) else {
            panic!("{text}");
        };
        assert!(imported.left_out.is_empty(), "{:?}", imported.left_out);
        let carried = |quiz: &Quiz| -> Vec<String> {
            let all = quiz.questions.iter();
            // Predictions need their lab, and an import asks for the parts of an essay.
            let all = all
                .filter(|it| !matches!(it.kind, QuestionKind::Predict(_) | QuestionKind::Words(_)));
            all.map(sample::said).collect()
        };
        let again = sample::quiz(&imported);
        assert_eq!(carried(&quiz), carried(&again), "{text}");
    }
}

#[test]
fn each_kind_has_the_elements_of_moodles_own_export() {
    let course = warpup_course::sample::course();
    let quizzes = course.lessons.iter().filter_map(|it| it.quiz.as_ref());
    let quizzes: Vec<&Quiz> = quizzes.collect();
    let mut remarks = Remarks::default();
    let text = write(&quizzes, &mut remarks);
    insta::assert_snapshot!(text);
    let remarks: Vec<String> = remarks
        .into_vec()
        .iter()
        .map(|it| format!("{}: {}", it.place, it.what))
        .collect();
    insta::assert_snapshot!(remarks.join("\n"));
}

#[test]
fn the_end_of_a_section_in_a_text_ends_nothing() {
    let mut quiz = sample::shipped().swap_remove(0);
    quiz.questions
        .retain(|it| matches!(it.kind, QuestionKind::Single(_)));
    let mut code = Text::of("a ]]> b & <c>");
    code.pieces[0].code = true;
    quiz.questions[0].explain[0].kind = BlockKind::Paragraph(code);
    let text = write(&[&quiz], &mut Remarks::default());
    assert!(text.contains("]]]]><![CDATA[>"), "{text}");
    assert!(read(&text, "x").is_ok_and(|it| it.left_out.is_empty()));
}
