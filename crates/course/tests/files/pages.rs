//! What a lesson's markdown becomes.

use super::*;
use insta::assert_snapshot;

#[test]
fn headings_of_level_two_are_pages_and_text_before_them_is_the_first() {
    let body = "Before.\n\n## Why it waits {#wait}\n\nText.\n\n### Deeper\n\n## It's *here*\n";
    assert_snapshot!(blocks_of(body), @r"
    # Lesson (start)
    p Before.
    # Why it waits (wait)
    p Text.
    h3 Deeper
    # It's here (its-here)
    ");
}

#[test]
fn a_lesson_that_starts_with_a_heading_has_no_page_before_it() {
    assert_snapshot!(blocks_of("## One\n\ntext\n"), @r"
    # One (one)
    p text
    ");
}

#[test]
fn text_keeps_its_looks_in_few_pieces() {
    let body = "a **b *c*** `d` ~~e~~ [f `g`](https://x.y) &amp; &lt;h&gt; \\*i\\*\nj  \nk\n";
    assert_snapshot!(blocks_of(body), @r"
    # Lesson (start)
    p a {b :strong}{c:strong,emphasis} {d:code} {e:struck} {f :to https://x.y}{g:code,to https://x.y} & <h> *i* j⏎k
    ");
}

#[test]
fn what_looks_like_html_stays_text() {
    let body =
        "Call `f<<<1, 100>>>()` or f<<<1, 100>>>() or f<<<n>>>() <b>now</b>.\n\n<div>\nx\n</div>\n";
    assert_snapshot!(blocks_of(body), @r"
    # Lesson (start)
    p Call {f<<<1, 100>>>():code} or f<<<1, 100>>>() or f<<<n>>>() <b>now</b>.
    p <div>⏎x⏎</div>
    ");
}

#[test]
fn lists_nest_and_every_item_has_its_marker_once() {
    let body = "- one\n\n  more\n- two\n  1. deep\n  2. deeper\n- [x] done\n- [ ] open\n-\n";
    assert_snapshot!(blocks_of(body), @r"
    # Lesson (start)
    Bullet p one
    Bullet… p more
    Bullet p two
    Bullet… Number(1) p deep
    Bullet… Number(2) p deeper
    Task(true) p done
    Task(false) p open
    Bullet p
    ");
}

#[test]
fn quotations_and_callouts_are_containers() {
    let body = "> quoted\n> > twice\n\n> [!WARNING]\n> Mind the gap.\n>\n> - item\n";
    assert_snapshot!(blocks_of(body), @r"
    # Lesson (start)
    > p quoted
    > > p twice
    Warning> p Mind the gap.
    Warning> Bullet p item
    ");
}

#[test]
fn tables_have_as_many_cells_in_each_row_as_in_the_head() {
    let body = "| a | b | c |\n|:--|:-:|--:|\n| `x|y` | 2 |\n| 1 | 2 | 3 | 4 |\n";
    assert_snapshot!(blocks_of(body), @r"
    # Lesson (start)
    table [Left, Center, Right] a|b|c / `x|y`|2 / 1|2|3
    ");
}

#[test]
fn footnotes_come_at_the_end_of_the_first_page_that_refers_to_them() {
    let body =
        "## One\n\nA.[^n]\n\nB.\n\n## Two\n\nC.[^n]\n\n[^n]: The note.\n\n    Its second part.\n";
    assert_snapshot!(blocks_of(body), @r"
    # One (one)
    p A.{n:note}
    p B.
    [^n] p The note.
    [^n]… p Its second part.
    # Two (two)
    p C.{n:note}
    ");
}

#[test]
fn folded_parts_are_containers_and_hints_are_not_on_the_page() {
    let body = "\
```python lab id=copy
print(1)
```

<details><summary>Hint</summary>

Look **up**.

</details>

<details>
<summary>Hint 2</summary>

- a
- b

</details>

<details>
<summary>More</summary>

Text.

</details>

After.
";
    assert_snapshot!(blocks_of(body), @r"
    # Lesson (start)
    lab copy
    <More> p Text.
    p After.
    ");
    let lesson = lesson_of(body);
    let hints: Vec<String> = lesson
        .labs
        .iter()
        .flat_map(|it| &it.hints)
        .map(|hint| hint.iter().map(line).collect())
        .collect();
    assert_eq!(hints, ["p Look {up:strong}.\n", "Bullet p a\nBullet p b\n"]);
}

#[test]
fn figures_and_code_are_kept_letter_by_letter() {
    let body = "```text figure alt=\"two boxes\"\n┌─┐ ┌─┐\n└─┘ └─┘\n```\n\n```rust\nfn f() {}\n\n```\n\n    indented\n";
    assert_snapshot!(blocks_of(body), @r#"
    # Lesson (start)
    figure "two boxes" "┌─┐ ┌─┐\n└─┘ └─┘\n"
    code rust "fn f() {}\n\n"
    code  "indented\n"
    "#);
}

#[test]
fn line_ends_of_windows_and_a_byte_order_mark_change_nothing() {
    let body = "Text.\n\n```python lab id=copy\nx = 1\ny = 2\n```\n";
    let unix = format!("{HEAD}{body}");
    let windows = format!("\u{feff}{unix}").replace('\n', "\r\n");
    let lab = |text: &str| {
        let quiz = format!("{QUIZ}{QUESTION}");
        let sources = sources(&[
            ("lessons/course.toml", MANIFEST),
            ("lessons/lesson.md", text),
            ("quizzes/lesson.toml", &quiz),
        ]);
        let (course, diagnostics) = parse(&sources);
        assert_eq!(diagnostics, []);
        course.lessons[0].labs[0].starter.clone()
    };
    assert_eq!(lab(&windows), lab(&unix));
}

#[test]
fn spans_are_bytes_of_the_file() {
    let quiz = format!("{QUIZ}{QUESTION}");
    let sources = course_of("Äh.\n\n- item\n\n```c\nx\n```\n", &quiz);
    let text = &sources.files["lessons/lesson.md"];
    let (course, _) = parse(&sources);
    let spans: Vec<_> = course.lessons[0].pages[0]
        .blocks
        .iter()
        .map(|it| text.get(it.span.clone()).unwrap().trim_end())
        .collect();
    assert_eq!(spans, ["Äh.", "item", "```c\nx\n```"]);
}

#[test]
fn a_pause_is_a_mark_between_blocks_also_among_the_notes_for_instructors() {
    let note = "<details><summary>Instructor: ask</summary>\n\nAsk them.\n\n</details>\n";
    let more = format!(
        "## Why\n\nGuess.\n\n{note}\n<!-- pause -->\n\n{note}\nIt waits.\n\n<!-- a comment -->\n\n<!-- pause -->\n\nSo.\n"
    );
    let mut course = sample::course_with("lessons/places.md", &more);
    let pauses = |course: &Course| {
        let page = course.lessons.first().unwrap().pages.last().unwrap();
        let before = page.pauses.iter().map(|it| it.before);
        (page.blocks.len(), before.collect::<Vec<_>>())
    };
    assert_eq!(pauses(&course), (4, vec![1, 3]));
    course.show_notes();
    assert_eq!(pauses(&course), (6, vec![2, 5]));
}
