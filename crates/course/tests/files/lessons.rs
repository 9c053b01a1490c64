//! What is said about mistakes in lessons.

use super::*;
use insta::assert_snapshot;
use warpup_course::reading_time::note_words;

/// What is wrong with a whole lesson file.
fn diagnostics_of_file(text: &str) -> String {
    let quiz = format!("{QUIZ}{QUESTION}");
    shown(&sources(&[
        ("lessons/course.toml", MANIFEST),
        ("lessons/lesson.md", text),
        ("quizzes/lesson.toml", &quiz),
    ]))
}

#[test]
fn a_lesson_without_mistakes_has_no_diagnostics() {
    assert_eq!(diagnostics_of("Text.\n"), "");
}

#[test]
fn a_lesson_without_a_head_says_how_to_write_one() {
    assert_snapshot!(diagnostics_of_file("# Title\n"), @"
    error[no-head]: the lesson has no head
     --> lessons/lesson.md:1:1
      |
    1 | # Title
      | ^
      |
      = help: start the file with a line `+++`, then `format = 1`, `id`, `title`, …, then `+++`
    ");
}

#[test]
fn a_head_that_never_ends_is_told_once() {
    assert_snapshot!(diagnostics_of_file("+++\nformat = 1\n"), @"
    error[head-not-closed]: the lesson's head is not closed
     --> lessons/lesson.md:1:1
      |
    1 | +++
      | ^^^
      |
      = help: end it with a line `+++`
    ");
}

#[test]
fn unknown_keys_of_a_head_name_the_nearest() {
    let text = HEAD.replace("summary", "sumary") + "Text.\n";
    assert_snapshot!(diagnostics_of_file(&text), @r#"
    error[unknown-key]: unknown key `sumary` in a lesson
     --> lessons/lesson.md:5:1
      |
    5 | sumary = "One sentence."
      | ^^^^^^
      |
      = help: did you mean `summary`?
    "#);
}

#[test]
fn a_head_that_lacks_more_than_its_id_costs_no_lesson() {
    let text = HEAD.replace("minutes", "minuts").replace("title", "titel") + "Text.\n";
    let (course, _) = parse(&sources(&[
        ("lessons/course.toml", MANIFEST),
        ("lessons/lesson.md", &text),
    ]));
    let lesson = &course.lessons[0];
    assert_eq!(
        (lesson.title.as_str(), lesson.minutes),
        (lesson.id.as_str(), 0)
    );
}

#[test]
fn broken_toml_in_a_head_points_at_the_line() {
    let text = HEAD.replace("minutes = 5", "minutes = ");
    assert_snapshot!(diagnostics_of_file(&text), @"
    error[not-toml]: this is not TOML: string values must be quoted, expected literal string
     --> lessons/lesson.md:6:11
      |
    6 | minutes = 
      |           ^
      |
      = help: write a value behind `minutes =`, on the same line
    ");
}

#[test]
fn newer_and_older_formats_have_different_messages() {
    let newer = HEAD.replace("format = 1", "format = 2");
    assert_snapshot!(diagnostics_of_file(&newer), @"
    error[unknown-format]: format 2 is newer than format 1, the newest that this warpup reads
     --> lessons/lesson.md:2:10
      |
    2 | format = 2
      |          ^
      |
      = help: update warpup, or use an older release of the course
    ");
    let older = HEAD.replace("format = 1", "format = 0");
    assert_snapshot!(diagnostics_of_file(&older), @"
    error[unknown-format]: format 0 is older than format 1, the oldest that this warpup reads
     --> lessons/lesson.md:2:10
      |
    2 | format = 0
      |          ^
      |
      = help: set `format = 1`
    ");
}

#[test]
fn ids_have_one_form() {
    let text = HEAD.replace("\"lesson\"", "\"My Lesson\"");
    assert_snapshot!(diagnostics_of_file(&text), @r#"
    error[id-form]: lesson id `My Lesson` is not made of lower-case letters, digits and single `-`
     --> lessons/lesson.md:3:6
      |
    3 | id = "My Lesson"
      |      ^^^^^^^^^^^
      |
      = help: write `my-lesson`
    "#);
}

#[test]
fn page_ids_are_unique_and_titles_are_in_the_head() {
    assert_snapshot!(diagnostics_of("## One\n\nx\n\n## One\n\nx\n\n# Two\n\nx\n"), @"
    error[duplicate-id]: there is a page `one` already
      --> lessons/lesson.md:15:1
       |
    15 | ## One
       | ^^^^^^
       |
       = help: write `## heading {#another-id}`
    error[heading-level]: a lesson has no `#` heading: its title is in the head
      --> lessons/lesson.md:19:1
       |
    19 | # Two
       | ^^^^^
       |
       = help: start a page with `##`
    ");
}

#[test]
fn attributes_of_labs_name_the_nearest() {
    let body = "```python lab id=copy devise=cuda timeout=20m\nx\n```\n";
    assert_snapshot!(diagnostics_of(body), @"
    error[unknown-attribute]: unknown attribute `devise` of a lab
      --> lessons/lesson.md:11:23
       |
    11 | ```python lab id=copy devise=cuda timeout=20m
       |                       ^^^^^^
       |
       = help: did you mean `device`?
    error[time-form]: `20m` is not a time
      --> lessons/lesson.md:11:43
       |
    11 | ```python lab id=copy devise=cuda timeout=20m
       |                                           ^^^
       |
       = help: write `20s` or `500ms`
    ");
}

#[test]
fn the_memory_of_a_lab_has_a_unit_and_an_end() {
    let body = |memory: &str| format!("```python lab id=copy memory={memory}\nx\n```\n");
    for fine in ["1MiB", "11GiB", "\"3 GiB\""] {
        assert_eq!(diagnostics_of(&body(fine)), "", "{fine}");
    }
    for wrong in [
        "3",
        "GiB",
        "3GB",
        "-3GiB",
        "1.5GiB",
        "\"\"",
        "99999999999GiB",
    ] {
        let said = diagnostics_of(&body(wrong));
        assert!(
            said.contains("is not an amount of memory"),
            "{wrong}: {said}"
        );
    }
    assert_snapshot!(diagnostics_of(&body("3gb")), @"
    error[memory-form]: `3gb` is not an amount of memory
      --> lessons/lesson.md:11:30
       |
    11 | ```python lab id=copy memory=3gb
       |                              ^^^
       |
       = help: write `3GiB` or `512MiB`
    ");
    assert_snapshot!(diagnostics_of(&body("\"64 GiB\"")), @r#"
    error[memory-form]: a lab's memory is more than nothing and at most 11GiB
      --> lessons/lesson.md:11:31
       |
    11 | ```python lab id=copy memory="64 GiB"
       |                               ^^^^^^
       |
       = help: write `memory=2GiB`, or leave it out for 1 GiB
    "#);
}

#[test]
fn devices_of_labs_name_the_nearest() {
    assert_snapshot!(diagnostics_of("```python lab id=copy device=cud\nx\n```\n"), @"
    error[unknown-device]: unknown device `cud`
      --> lessons/lesson.md:11:30
       |
    11 | ```python lab id=copy device=cud
       |                              ^^^
       |
       = help: did you mean `cuda`?
    ");
}

#[test]
fn labs_need_a_name_and_python() {
    let body = "```python lab\nx\n```\n\n```rust lab id=a\nx\n```\n\n```pyhton lab id=b\nx\n```\n";
    assert_snapshot!(diagnostics_of(body), @"
    error[lab-without-id]: the lab has no `id`
      --> lessons/lesson.md:11:4
       |
    11 | ```python lab
       |    ^^^^^^
       |
       = help: write `python lab id=some-name`; progress is kept under it
    error[lab-language]: a lab is written in python
      --> lessons/lesson.md:15:4
       |
    15 | ```rust lab id=a
       |    ^^^^
       |
       = help: write `python lab id=…`
    error[lab-language]: a lab is written in python
      --> lessons/lesson.md:19:4
       |
    19 | ```pyhton lab id=b
       |    ^^^^^^
       |
       = help: write `python lab id=…`
    ");
}

#[test]
fn lab_ids_are_unique() {
    let body = "```python lab id=copy\nx\n```\n\n```python lab id=copy\ny\n```\n";
    assert_snapshot!(diagnostics_of(body), @"
    error[duplicate-id]: there is a lab `copy` already
      --> lessons/lesson.md:15:18
       |
    15 | ```python lab id=copy
       |                  ^^^^
       |
       = help: give this one another id; results are stored under it
    ");
}

#[test]
fn blocks_belong_to_a_lab_above_them_and_once() {
    let body = "\
```python check=linear
x
```

```python lab id=linear
x
```

```python solution=linaer
x
```

```python check=linear
x
```

```python check=linear
x
```

```python same-as=linear
x
```
";
    assert_snapshot!(diagnostics_of(body), @"
    error[unknown-lab]: there is no lab `linear` above this block
      --> lessons/lesson.md:11:17
       |
    11 | ```python check=linear
       |                 ^^^^^^
       |
       = help: put the block under its lab, ```python lab id=…
    error[unknown-lab]: there is no lab `linaer` above this block
      --> lessons/lesson.md:19:20
       |
    19 | ```python solution=linaer
       |                    ^^^^^^
       |
       = help: did you mean `linear`?
    error[second-block]: lab `linear` has a `check=` block already
      --> lessons/lesson.md:27:17
       |
    27 | ```python check=linear
       |                 ^^^^^^
       |
       = help: make one block of the two
    error[lab-language]: a block with `same-as=` is written in rust
      --> lessons/lesson.md:31:4
       |
    31 | ```python same-as=linear
       |    ^^^^^^
       |
       = help: write `rust same-as=linear`
    ");
}

#[test]
fn a_hint_needs_a_lab_above_it() {
    let body = "<details><summary>Hint</summary>\n\nx\n\n</details>\n";
    assert_snapshot!(diagnostics_of(body), @"
    error[hint-without-lab]: this hint has no lab above it
      --> lessons/lesson.md:11:1
       |
    11 | <details><summary>Hint</summary>
       | ^^^^^^^^
       |
       = help: a hint belongs to the nearest lab above it; call a folded part by another word
    ");
}

/// A page with a note between its two paragraphs.
const NOTED: &str = "Before.\n\n<details><summary>Instructor: five minutes</summary>\n\nAsk `who` knows.\n\n- Wait.\n\n</details>\n\nAfter.\n";

/// The texts of the first page, as it is read and as an instructor sees it.
fn texts_of(page: &Page) -> Vec<String> {
    let texts = page.blocks.iter().filter_map(|it| match &it.kind {
        BlockKind::Paragraph(text) => Some(text.plain()),
        BlockKind::Heading { .. }
        | BlockKind::Code { .. }
        | BlockKind::Figure { .. }
        | BlockKind::Table { .. }
        | BlockKind::Lab(_)
        | BlockKind::Rule => None,
    });
    texts.collect()
}

#[test]
fn only_an_instructor_sees_the_notes_for_instructors() {
    assert_eq!(diagnostics_of(NOTED), "");
    let (mut course, _) = parse(&course_of(NOTED, &format!("{QUIZ}{QUESTION}")));
    let page = |course: &Course| texts_of(&course.lessons[0].pages[0]);
    assert_eq!(page(&course), ["Before.", "After."]);
    assert_eq!(note_words(&course.lessons[0]), 4);
    course.show_notes();
    course.show_notes();
    assert_eq!(
        page(&course),
        ["Before.", "Ask who knows.", "Wait.", "After."]
    );
}

#[test]
fn notes_are_shown_in_a_lesson_that_is_read_later() {
    let mut course = open(&course_of(NOTED, ""));
    course.show_notes();
    assert!(!course.lessons[0].content.is_read());
    let texts = texts_of(&course.lessons[0].pages[0]);
    assert_eq!(texts, ["Before.", "Ask who knows.", "Wait.", "After."]);
}

#[test]
fn a_lab_cannot_be_inside_a_note_for_instructors() {
    let body =
        "x\n\n<details><summary>Instructor</summary>\n\n```python lab id=a\nx\n```\n\n</details>\n";
    assert_snapshot!(diagnostics_of(body), @"
    error[lab-place]: a lab cannot be inside an instructor's note
      --> lessons/lesson.md:15:4
       |
    15 | ```python lab id=a
       |    ^^^^^^
       |
       = help: put it on the page, in front of the hint or note
    ");
}

#[test]
fn folded_parts_are_closed_by_their_author() {
    let body = "<details><summary>More</summary>\n\nx\n\n## Two\n\n</details>\n\nx\n";
    assert_snapshot!(diagnostics_of(body), @"
    warning[details-not-closed]: this `<details>` is not closed
      --> lessons/lesson.md:11:1
       |
    11 | <details><summary>More</summary>
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: put `</details>` on a line of its own, with empty lines around it
    warning[details-close-nothing]: `</details>` closes nothing here
      --> lessons/lesson.md:17:1
       |
    17 | </details>
       | ^^^^^^^^^^
       |
       = help: remove it, or write the `<details><summary>Title</summary>` that it closes
    ");
}

#[test]
fn a_heading_right_below_a_folded_part_is_told() {
    let body = "<details><summary>More</summary>\n\nx\n\n</details>\n## Two {#two}\n\ny\n";
    assert_snapshot!(diagnostics_of(body), @"
    warning[details-text]: no empty line is between a tag and this text, so it is shown as it is written
      --> lessons/lesson.md:16:1
       |
    16 | ## Two {#two}
       | ^^^^^^^^^^^^^
       |
       = help: write an empty line between the text and each tag above and below it
    ");
}

#[test]
fn figures_have_words_and_fit() {
    let wide = "x".repeat(77);
    let body = format!("```text figure\nx\n```\n\n```text figure alt=\"a\"\n{wide}\n```\n");
    assert_snapshot!(diagnostics_of(&body), @r#"
    error[figure-without-alt]: the figure has no words for those who cannot see it
      --> lessons/lesson.md:11:4
       |
    11 | ```text figure
       |    ^^^^
       |
       = help: write `text figure alt="…"`
    error[figure-too-wide]: the figure is 77 columns wide; 76 fit everywhere
      --> lessons/lesson.md:15:1
       |
    15 | ```text figure alt="a"
       | ^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: draw it narrower: a wider one breaks on a small terminal
    "#);
}

#[test]
fn unknown_words_and_languages_after_a_fence_are_told() {
    let body = "```pythn\nx\n```\n\n```text figur alt=\"a\"\nx\n```\n\n```python chek=a\nx\n```\n";
    assert_snapshot!(diagnostics_of(body), @r#"
    warning[unknown-language]: unknown language `pythn`
      --> lessons/lesson.md:11:4
       |
    11 | ```pythn
       |    ^^^^^
       |
       = help: did you mean `python`?
    error[unknown-word]: unknown word `figur` after the fence
      --> lessons/lesson.md:15:9
       |
    15 | ```text figur alt="a"
       |         ^^^^^
       |
       = help: did you mean `figure`?
    error[unknown-attribute]: unknown attribute `chek` of a code block
      --> lessons/lesson.md:19:11
       |
    19 | ```python chek=a
       |           ^^^^
       |
       = help: did you mean `check`?
    "#);
}

#[test]
fn images_are_not_shown() {
    assert_snapshot!(diagnostics_of("![two boxes](boxes.png)\n"), @r#"
    error[image]: images are not shown
      --> lessons/lesson.md:11:1
       |
    11 | ![two boxes](boxes.png)
       | ^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: draw it in a block ```text figure alt="…"; the words of the image are shown as text
    "#);
}

#[test]
fn predictions_have_to_be_about_their_lab() {
    let body = "\
```python lab id=copy predict=q-fine
x
```

```python lab id=wait predict=q-none
x
```
";
    assert_snapshot!(diagnostics_of(body), @r#"
    error[unknown-prediction]: question `q-fine` is not a prediction
      --> lessons/lesson.md:11:31
       |
    11 | ```python lab id=copy predict=q-fine
       |                               ^^^^^^
       |
       = help: the quiz needs a question with `type = "predict"` and `lab = "copy"`
    error[unknown-prediction]: the quiz has no question `q-none` that can be asked
      --> lessons/lesson.md:15:31
       |
    15 | ```python lab id=wait predict=q-none
       |                               ^^^^^^
       |
       = help: the quiz needs a question with `type = "predict"` and `lab = "wait"`
    "#);
}

#[test]
fn three_pages_in_a_row_without_anything_to_do_are_told() {
    let body = "## One\n\nx\n\n## Two\n\nx\n\n## Three\n\nx\n\n## Four\n\nx\n";
    assert_snapshot!(diagnostics_of(body), @"
    warning[idle-pages]: 3 pages in a row without a lab or a question
      --> lessons/lesson.md:19:1
       |
    19 | ## Three
       | ^^^^^^^^
       |
       = help: put a lab on one of them, or point a question's `see` at it
    ");
}

#[test]
fn too_wide_tables_are_cut() {
    let row = "| x ".repeat(65);
    let rule = "|---".repeat(65);
    let shown = diagnostics_of(&format!("{row}|\n{rule}|\n{row}|\n"));
    assert!(shown.contains("a table may have 64 columns"), "{shown}");
}

#[test]
fn too_long_tables_are_cut_and_it_is_told_once() {
    let rows = "| x |\n".repeat(1200);
    let body = format!("| x |\n|---|\n{rows}");
    let shown = diagnostics_of(&body);
    assert_eq!(
        shown.matches("a table may have 1000 rows").count(),
        1,
        "{shown}"
    );
    let lesson = lesson_of(&body);
    let BlockKind::Table { rows, .. } = &lesson.pages[0].blocks[0].kind else {
        panic!("no table");
    };
    assert_eq!(rows.len(), 1000);
}

#[test]
fn pauses_are_between_two_parts_of_a_page() {
    let pause = "<!-- pause -->";
    let body = format!(
        "{pause}\n\nx\n\n{pause}\n\n{pause}\n\ny\n\n- z\n\n  {pause}\n\n> q\n>\n> {pause}\n\n\
         <details><summary>More</summary>\n\nm\n\n{pause}\n\n</details>\n\n{pause}\n\n## Two\n\nLast.\n\n{pause}\n"
    );
    assert_snapshot!(diagnostics_of(&body), @"
    error[pause-place]: there is nothing to read before this pause
      --> lessons/lesson.md:11:1
       |
    11 | <!-- pause -->
       | ^^^^^^^^^^^^^^
       |
       = help: a pause is between two parts of a page; leave this one out
    error[pause-place]: there is nothing to read between the last pause and this one
      --> lessons/lesson.md:17:1
       |
    17 | <!-- pause -->
       | ^^^^^^^^^^^^^^
       |
       = help: a pause is between two parts of a page; leave this one out
    error[pause-place]: a pause cannot be in a list, a quotation or a folded part
      --> lessons/lesson.md:23:3
       |
    23 |   <!-- pause -->
       |   ^^^^^^^^^^^^^^
       |
       = help: put `<!-- pause -->` on a line of its own, not indented, with empty lines around it
    error[pause-place]: a pause cannot be in a list, a quotation or a folded part
      --> lessons/lesson.md:27:3
       |
    27 | > <!-- pause -->
       |   ^^^^^^^^^^^^^^
       |
       = help: put `<!-- pause -->` on a line of its own, not indented, with empty lines around it
    error[pause-place]: a pause cannot be in a list, a quotation or a folded part
      --> lessons/lesson.md:33:1
       |
    33 | <!-- pause -->
       | ^^^^^^^^^^^^^^
       |
       = help: put `<!-- pause -->` on a line of its own, not indented, with empty lines around it
    error[pause-place]: there is nothing to read after this pause
      --> lessons/lesson.md:37:1
       |
    37 | <!-- pause -->
       | ^^^^^^^^^^^^^^
       |
       = help: a pause is between two parts of a page; leave this one out
    error[pause-place]: there is nothing to read after this pause
      --> lessons/lesson.md:43:1
       |
    43 | <!-- pause -->
       | ^^^^^^^^^^^^^^
       |
       = help: a pause is between two parts of a page; leave this one out
    ");
}
