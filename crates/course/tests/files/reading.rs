//! How long pages and lessons take.

use super::*;
use warpup_course::reading_time::{Time, page_seconds, warnings};

fn seconds(body: &str) -> u64 {
    let lesson = lesson_of(body);
    page_seconds(&lesson.pages[0], &lesson.labs)
}

#[test]
fn words_lines_of_code_and_figures_take_time_and_empty_lines_take_none() {
    assert_eq!(
        seconds("one `two` [three](#start) four five six seven eight nine ten\n"),
        3
    );
    assert_eq!(seconds("### one two\n\n- three four\n\n> five\n"), 2);
    assert_eq!(
        seconds("| a b | c |\n| --- | --- |\n| d e f | g h i j |\n"),
        3
    );
    assert_eq!(seconds("```rust\na\n\nb\n```\n"), 8);
    assert_eq!(
        seconds("```text figure alt=\"many words that nobody counts\"\na\nb\nc\n```\n"),
        10
    );
    assert_eq!(seconds("---\n"), 0);
}

#[test]
fn of_a_lab_only_its_program_is_read() {
    let body = "\
```python lab id=copy
a

b
```

```python check=copy
c
```

```python solution=copy
d
```

<details><summary>Hint</summary>

one two three four five six seven eight nine ten

</details>
";
    assert_eq!(seconds(body), 8);
    let time = Time::of(&lesson_of(body));
    assert_eq!((time.reading_s, time.labs_s), (8, 180));
    assert_eq!((time.minutes(), time.reading_minutes()), (3, 1));
}

fn warnings_of(body: &str) -> String {
    let sources = course_of(body, &format!("{QUIZ}{QUESTION}"));
    let (course, _) = parse(&sources);
    let text = |it: &Diagnostic| it.render(&sources.files[&it.file]);
    warnings(&course).iter().map(text).collect()
}

#[test]
fn long_pages_and_minutes_that_are_no_estimate_are_told() {
    let page = |words: usize| "word ".repeat(words);
    // The head says five minutes.
    let fine = format!("{}\n\n## Two\n\n{}\n", page(600), page(400));
    insta::assert_snapshot!(warnings_of(&fine), @"");
    let long = format!(
        "{}\n\n## Two\n\n> {}\n\n## Three\n\n{}\n",
        page(600),
        page(601),
        page(1100)
    );
    insta::assert_snapshot!(warnings_of(&long), @"
    warning[page-too-long]: the page `two` takes about 3 min 1 s to read; 3 min are enough
      --> lessons/lesson.md:15:3
       |
    15 | > word word word word word word word word word word word word word word word word word word word wor…
       |   ^
       |
       = help: cut it, or make two pages of it
    warning[page-too-long]: the page `three` takes about 5 min 30 s to read; 3 min are enough
      --> lessons/lesson.md:19:1
       |
    19 | word word word word word word word word word word word word word word word word word word word word …
       | ^
       |
       = help: cut it, or make two pages of it
    warning[minutes-differ]: the head says 5 min; reading and labs take about 12 min
     --> lessons/lesson.md:6:1
      |
    6 | minutes = 5
      | ^^^^^^^^^^^
      |
      = help: write `minutes = 12`, or change the lesson
    ");
    insta::assert_snapshot!(warnings_of("Two words.\n"), @"
    warning[minutes-differ]: the head says 5 min; reading and labs take about 1 min
     --> lessons/lesson.md:6:1
      |
    6 | minutes = 5
      | ^^^^^^^^^^^
      |
      = help: write `minutes = 1`, or change the lesson
    ");
}
