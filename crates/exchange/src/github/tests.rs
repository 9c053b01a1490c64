//! Ordinary Markdown of lessons.

use super::*;
use crate::options::Output;
use std::collections::BTreeSet;
use warpup_course as course;
use warpup_store::course::embedded;

#[test]
#[expect(clippy::too_many_lines, reason = "most lines are the lesson")]
fn a_lesson_has_headings_fences_and_folded_parts_only() {
    let course = course::sample::course();
    let lesson = course
        .lessons
        .iter()
        .find(|it| it.id.as_str() == "copies")
        .unwrap();
    let output = Output {
        text: "1\n".to_owned(),
        on: "on the CPU, measured".to_owned(),
        ended: None,
    };
    let outputs = [((lesson.id.clone(), lesson.labs[0].id.clone()), output)];
    let text = write(&course, &[lesson], Keys::Shown, &outputs.into());
    insta::assert_snapshot!(text, @r#"
    <a id="copies"></a>

    # What a copy costs

    Each copy crosses the bus.

    Afterwards you can:

    - Say what a copy costs before you run it.

    <a id="copies--start"></a>

    A copy is never free.

    <a id="copies--the-bus"></a>

    ## The bus

    It is narrow.

    **Lab: Try the bus.** It runs on any device.

    ```python
    import torch
    x = torch.ones(3).to("cuda")
    ```

    Run it: `warpup run copies/bus`

    It prints (on the CPU, measured):

    ```text
    1
    ```

    **Lab: Try the repair.** It asks for a card, real or modelled.

    ```python
    broken()
    ```

    Run it: `warpup run copies/repair`

    <details><summary>Hint</summary>

    What is `broken`?

    </details>

    <details><summary>Solution</summary>

    ```python
    repaired()
    ```

    </details>

    ## Quiz: What a copy costs

    More than 75 % of the points pass. Take it: `warpup quiz copies`

    **Question 1.** What is wrong with the bus?

    *Choose one.*

    - A: It is slow.
    - B: It is narrow.

    <details><summary>Hint</summary>

    Think of a road.

    </details>

    <details><summary>Answer</summary>

    - It is narrow.

    Because it is so.

    About the answers:

    - “It is slow.” Not slow, narrow.

    </details>

    **Question 2.** How many bytes?

    *Give a number in B.*

    <details><summary>Hint</summary>

    Think of a road.

    </details>

    <details><summary>Answer</summary>

    - 24 B

    Because it is so.

    </details>

    **Question 3.** In which order?

    *Bring these into the right order.*

    - A: run
    - B: copy

    <details><summary>Hint</summary>

    Think of a road.

    </details>

    <details><summary>Answer</summary>

    1. copy
    2. run

    Because it is so.

    </details>

    **Question 4.** Which is which?

    *Find what belongs together.*

    - A: host
    - B: card

    - A: the GPU
    - B: the CPU

    <details><summary>Hint</summary>

    Think of a road.

    </details>

    <details><summary>Answer</summary>

    - host → the CPU
    - card → the GPU

    Because it is so.

    </details>
    "#);
}

#[test]
fn the_whole_course_has_no_block_of_warpups_own_and_no_link_without_a_target() {
    let (course, _) = course::parse(&embedded());
    let lessons: Vec<&Lesson> = course.lessons.iter().collect();
    let text = write(&course, &lessons, Keys::Shown, &Outputs::new());
    for own in [
        "+++",
        "python lab",
        "check=",
        "solution=",
        "same-as=",
        "<!-- pause",
        "text figure",
    ] {
        let starts = |it: &&str| it.starts_with(own) || it.starts_with(&format!("```{own}"));
        assert_eq!(text.lines().find(starts), None, "{own}");
    }
    let after = |mark: &str, end: char| -> BTreeSet<String> {
        text.split(mark)
            .skip(1)
            .map(|it| it.split(end).next().unwrap().to_owned())
            .collect()
    };
    let (ids, links) = (after("<a id=\"", '"'), after("](#", ')'));
    let missing: Vec<_> = links.difference(&ids).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn without_keys_no_answer_is_in_the_text() {
    let course = course::sample::course();
    let lessons: Vec<&Lesson> = course.lessons.iter().collect();
    let text = |keys| write(&course, &lessons, keys, &Outputs::new());
    for key in [
        "Because it is so.",
        "Not slow, narrow.",
        "<summary>Solution",
    ] {
        assert!(text(Keys::Shown).contains(key), "{key}");
        assert!(!text(Keys::LeftOut).contains(key), "{key}");
    }
}
