//! GIFT in, quizzes out, and back.

use super::*;
use crate::tests as sample;
use crate::{ImportedQuiz, Remarks};
use proptest::prelude::*;
use warpup_course::{QuestionKind, Quiz};

fn imported(text: &str) -> ImportedQuiz {
    read(text, "Sample")
}

fn shown(text: &str) -> String {
    sample::shown(&imported(text))
}

#[test]
#[expect(clippy::too_many_lines, reason = "most lines are the quiz")]
fn every_kind_becomes_a_question() {
    let text = r"// A comment
$CATEGORY: $course$/top/Cards

::Where is it?:: Where is <b>a + b</b>?{
  =On the card#Right.
  ~On the host#No: it would\nbe copied.
  ~%50%Half ~Elsewhere
####An operation runs where its inputs are.
}

::Which::[markdown]Which two are `primes`? {~%50%2 ~%50%3 ~%-50%4#Two times two. ~%-50%9}

::Size:: How many bytes? {#24:0.5#Yes ####Six times four.}

::Sizes:: Between? {#=1..2 =%0%7:1#Far off. =%50%1.5#Near}

::Word:: Which tool?{=nvidia-smi =%0%smi#Which of them? =nvidia*}

Is the sky blue?{T#It is.#Yes.}

Match them.{ =host -> CPU =card -> GPU = -> TPU }

::Why:: Why does it return at once?{}

The {~host =card} has many cores.
";
    insta::assert_snapshot!(shown(text), @r#"
    # Category: $course$/top/Cards
    [[question]]
    id = "where-is-it"
    type = "single"
    prompt = "Where is **a + b**?"
    options = [
      { id = "a", text = "On the card", correct = true, feedback = "Right." },
      { id = "b", text = "On the host", feedback = "No: it would be copied." },
      { id = "c", text = "Half" },
      { id = "d", text = "Elsewhere" },
    ]
    explain = "An operation runs where its inputs are."

    # Category: $course$/top/Cards
    [[question]]
    id = "which"
    type = "multi"
    prompt = "Which two are `primes`?"
    options = [
      { id = "a", text = "2", correct = true },
      { id = "b", text = "3", correct = true },
      { id = "c", text = "4", feedback = "Two times two." },
      { id = "d", text = "9" },
    ]
    partial = true
    explain = "Right: 2; 3"

    # Category: $course$/top/Cards
    [[question]]
    id = "size"
    type = "numeric"
    prompt = "How many bytes?"
    answer = 24
    tolerance = { abs = 0.5 }
    explain = "Six times four."

    # Category: $course$/top/Cards
    [[question]]
    id = "sizes"
    type = "numeric"
    prompt = "Between?"
    answer = 1.5
    tolerance = { range = [1, 2] }
    near = [
      { value = 7, tolerance = { abs = 1 }, feedback = "Far off." },
    ]
    explain = "Right: 1.5"

    # Category: $course$/top/Cards
    [[question]]
    id = "word"
    type = "text"
    prompt = "Which tool?"
    accept = ["nvidia-smi"]
    near = [
      { text = "smi", feedback = "Which of them?" },
    ]
    explain = "Right: nvidia-smi"

    # Category: $course$/top/Cards
    [[question]]
    id = "q-6"
    type = "single"
    prompt = "Is the sky blue?"
    options = [
      { id = "true", text = "True", correct = true, feedback = "Yes." },
      { id = "false", text = "False", feedback = "It is." },
    ]
    shuffle = false
    explain = "Right: True"

    # Category: $course$/top/Cards
    [[question]]
    id = "q-7"
    type = "match"
    prompt = "Match them."
    pairs = [
      { id = "a", left = "host", right = "CPU" },
      { id = "b", left = "card", right = "GPU" },
    ]
    explain = "Right: host: CPU; card: GPU"

    # Category: $course$/top/Cards
    [[question]]
    id = "why"
    type = "words"
    prompt = "Why does it return at once?"
    parts = [
      "Write here what a good explanation says first.",
      "Write here what it says next.",
    ]
    explain = "Write here what a good explanation says."

    # Category: $course$/top/Cards
    [[question]]
    id = "q-9"
    type = "single"
    prompt = "The _____ has many cores."
    options = [
      { id = "a", text = "host" },
      { id = "b", text = "card", correct = true },
    ]
    explain = "Right: card"
    changed: line 4, line 15: an answer that is worth a part of the points is wrong here
    changed: line 15: feedback for a number that is right within the tolerance is left out
    changed: line 17: an answer with `*` for any text is left out
    changed: line 21: a right side that belongs to no left one is left out
    changed: line 11, line 15, line 17, line 19, line 21, line 23, line 25: there is no explanation: `explain` repeats what is right, write why
    changed: line 23: it does not list the parts of a good explanation: write them in `parts`
    "#);
}

#[test]
fn escapes_formats_and_blank_lines_are_read_as_moodle_does() {
    let text = "::e\\:1::[html]<p>Is 1 \\= 1 in C\\#?<br/>\\{x\\}</p>{\n=yes\n\n~no\n}\n\n[plain]Is *this* bold?{F}\n\n[moodle]One\ntwo?{=\\*x}\n";
    insta::assert_snapshot!(shown(text), @r#"
    [[question]]
    id = "e-1"
    type = "single"
    prompt = '''
    Is 1 = 1 in C#?\
    {x}
    '''
    options = [
      { id = "a", text = "yes", correct = true },
      { id = "b", text = "no" },
    ]
    explain = "Right: yes"

    [[question]]
    id = "q-2"
    type = "single"
    prompt = 'Is \*this\* bold?'
    options = [
      { id = "true", text = "True" },
      { id = "false", text = "False", correct = true },
    ]
    shuffle = false
    explain = "Right: False"

    [[question]]
    id = "q-3"
    type = "text"
    prompt = '''
    One\
    two?
    '''
    accept = ["*x"]
    explain = 'Right: \*x'
    changed: line 1, line 7, line 9: there is no explanation: `explain` repeats what is right, write why
    "#);
}

#[test]
fn what_is_broken_is_left_out_with_its_line_and_what_to_write() {
    let text = "::a:: Open {=b ~c\n\n::no end\n\nText only.\n\nWhat? {#twelve}\n\nWhat? {nothing}\n\nWhat? {=a ~%100%b =c}\n\nWhat? {~a ~b}\n\n{=a ~b}\n\nGood? {=yes ~no}\n";
    insta::assert_snapshot!(shown(text), @r#"
    [[question]]
    id = "q-3"
    type = "single"
    prompt = "Good?"
    options = [
      { id = "a", text = "yes", correct = true },
      { id = "b", text = "no" },
    ]
    explain = "Right: yes"
    left out: line 1: its answers have no end: write `}` behind the last one, and `\{` for a brace in a text
    left out: line 3: its title has no end: write `::title::`
    left out: line 5: it has no answers in braces, so it asks nothing: put it into the lesson
    left out: line 7: `twelve` is not a number: write `{#12}`, `{#12:0.5}` or `{#11.5..12.5}`
    left out: line 9: an answer begins with `=` if it is right and with `~` if it is wrong; write `{TRUE}` or `{FALSE}`, `{#12:0.5}` for a number, and `{}` for an explanation
    left out: line 15: it has answers and no question: write the question before the `{`
    left out: line 11: 2 options are right, but one can be chosen (make it `type = "multi"`, or leave one `correct = true`)
    left out: line 13: no option is right (mark it with `correct = true`)
    changed: line 11: an answer that is worth a part of the points is wrong here
    changed: line 11, line 13, line 17: there is no explanation: `explain` repeats what is right, write why
    "#);
}

#[test]
fn questions_without_titles_or_with_the_same_one_have_ids_of_their_own() {
    let text = "::A b!:: x?{T}\n\n::a-b:: y?{T}\n\nz?{T}\n\n::漢:: w?{T}\n";
    let quiz = sample::quiz(&imported(text));
    let ids: Vec<_> = quiz.questions.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["a-b", "a-b-2", "q-3", "q-4"]);
}

/// The questions that GIFT has a kind for.
fn carried(quiz: &Quiz) -> Vec<String> {
    let is_carried =
        |it: &QuestionKind| !matches!(it, QuestionKind::Order(_) | QuestionKind::Predict(_));
    let questions = quiz.questions.iter().filter(|it| is_carried(&it.kind));
    questions.map(sample::said).collect()
}

#[test]
fn the_shipped_quizzes_are_the_same_after_an_export_and_an_import() {
    for quiz in sample::shipped() {
        let mut remarks = Remarks::default();
        let text = write(&[&quiz], &mut remarks);
        let imported = imported(&text);
        assert!(imported.left_out.is_empty(), "{:?}", imported.left_out);
        let again = sample::quiz(&imported);
        let (before, after) = (carried(&quiz), carried(&again));
        assert_eq!(before.len(), after.len(), "{}", quiz.id);
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before, after, "{text}");
        }
    }
}

#[test]
fn what_gift_lacks_is_said() {
    let course = warpup_course::sample::course();
    let quizzes: Vec<&Quiz> = course
        .lessons
        .iter()
        .filter_map(|it| it.quiz.as_ref())
        .collect();
    let mut remarks = Remarks::default();
    let text = write(&quizzes, &mut remarks);
    insta::assert_snapshot!(text, @r"
    $CATEGORY: $course$/top/Where a tensor lives

    ::q-place::[markdown]Where does `y` live?{
    	~the host#Not host.
    	=the card
    	####Because it is so.
    }

    ::q-bytes::[markdown]How many bytes are six float32?\n\nAnswer in B.{
    	#
    	=24
    	####Because it is so.
    }

    ::q-which::[markdown]What uses the bus or the card?{
    	~%50%a copy
    	~%50%a kernel
    	~%-100%a print#Not c.
    	####Because it is so.
    }

    ::q-pairs::[markdown]Which belongs to which?{
    	=host -> the CPU
    	=card -> the GPU
    	####Because it is so.
    }

    $CATEGORY: $course$/top/What a copy costs

    ::q-bus::[markdown]What is wrong with the bus?{
    	~It is slow.#Not slow, narrow.
    	=It is narrow.
    	####Because it is so.
    }

    ::q-bytes::[markdown]How many bytes?\n\nAnswer in B.{
    	#
    	=24
    	####Because it is so.
    }

    ::q-words::[markdown]Which is which?{
    	=host -> the CPU
    	=card -> the GPU
    	####Because it is so.
    }
    ");
    let said: Vec<String> = remarks
        .into_vec()
        .iter()
        .map(|it| format!("{}: {}", it.place, it.what))
        .collect();
    insta::assert_snapshot!(said.join("\n"), @"
    places/q-place, places/q-bytes, places/q-which, places/q-pairs, copies/q-bus, copies/q-bytes, copies/q-words: GIFT has no hints: left out
    places/q-bytes, copies/q-bytes: GIFT has no units: the question ends with the unit to answer in
    places/q-which: GIFT gives points for a part of the right options, warpup gives all or none
    places/q-order, copies/q-order: GIFT has no questions about an order: left out
    places/q-sum: a prediction is compared with a run of its lab: left out
    ");
}

#[test]
fn a_long_file_and_a_deep_one_end() {
    let long = "What? {=a ~b}\n\n".repeat(400);
    let imported = imported(&long);
    assert_eq!((imported.questions, imported.left_out.len()), (200, 1));
    let said: Vec<String> = imported
        .left_out
        .iter()
        .map(|it| format!("{}: {}", it.place, it.what))
        .collect();
    assert!(said[0].starts_with("line 401, line 403"), "{said:?}");
    let longer = read(&"What? {=a ~b}\n\n".repeat(200_000), "longer");
    assert_eq!(longer.questions, 200);
    assert!(
        longer.left_out[0]
            .place
            .starts_with("the last 199000 questions, line 401"),
        "{:?}",
        longer.left_out
    );
    let deep = format!("What? {}{}", "{=a ~".repeat(20_000), "}".repeat(20_000));
    assert!(read(&deep, "deep").quiz.is_none());
    let many = format!("What? {{{}}}", "~%1%a".repeat(50_000));
    assert!(read(&many, "many").quiz.is_none());
}

proptest! {
    #[test]
    fn no_text_is_too_broken(pieces in prop::collection::vec(prop_oneof![
        any::<char>().prop_map(|it| it.to_string()),
        prop::sample::select(vec!["::", "{", "}", "=", "~", "#", "####", "%50%", "->", "\\", "\n", "\n\n", "//", "$CATEGORY:", "T",
            "..", ":", "1", "[html]", "[markdown]", "<b>", "![x](y)", "```\n", "a", " "]).prop_map(str::to_owned),
    ], 0..40)) {
        let text = pieces.concat();
        let imported = read(&text, "any");
        if imported.quiz.is_some() {
            sample::quiz(&imported);
        }
    }
}
