//! Programs of labs in files of their own.

use super::*;
use insta::assert_snapshot;

const BODY: &str = "Text.\n\n```python lab id=sum file=labs/sum.py\n```\n\n```python check=sum file=labs/sum_check.py\n```\n\n```python solution=sum\nprint(3)\n```\n";

fn course(body: &str) -> Sources {
    let mut sources = course_of(body, &format!("{QUIZ}{QUESTION}"));
    for (file, text) in [
        ("labs/sum.py", "import torch\nprint(2)\n"),
        (
            "labs/sum_check.py",
            "lab.check('three', '3' in lab.output)\n",
        ),
    ] {
        sources.files.insert(file.to_owned(), text.into());
    }
    sources
}

#[test]
fn a_program_is_that_of_its_file_also_where_the_lesson_is_read_later() {
    let sources = course(BODY);
    assert_snapshot!(shown(&sources), @"");
    for course in [parse(&sources).0, open(&sources)] {
        let lab = &course.lessons[0].labs[0];
        assert_eq!(lab.starter, "import torch\nprint(2)\n");
        let check = lab.check.as_deref().unwrap();
        assert!(check.starts_with("lab.check('three'"), "{check}");
        assert_eq!(lab.solution_program(), Some("print(3)\n"));
        assert!(lab.is_in("labs/sum_check.py") && !lab.is_in("labs/other.py"));
    }
}

#[test]
fn a_file_that_is_not_there_and_a_second_program_are_errors() {
    assert_snapshot!(shown(&course(&BODY.replace("labs/sum_check.py", "labs/sum_chek.py"))), @"
    error[missing-file]: there is no file `labs/sum_chek.py` in the course
      --> lessons/lesson.md:16:26
       |
    16 | ```python check=sum file=labs/sum_chek.py
       |                          ^^^^^^^^^^^^^^^^
       |
       = help: did you mean `labs/sum_check.py`?
    ");
    assert_snapshot!(shown(&course(&BODY.replace("labs/sum.py", "../secrets.py"))), @"
    error[missing-file]: there is no file `../secrets.py` in the course
      --> lessons/lesson.md:13:27
       |
    13 | ```python lab id=sum file=../secrets.py
       |                           ^^^^^^^^^^^^^
       |
       = help: write it as `file=labs/NAME.py`, and put the file into the folder `labs` beside `lessons`
    ");
    assert_snapshot!(shown(&course(&BODY.replace("labs/sum.py\n", "labs/sum.py\nprint(1)\n"))), @"
    error[two-programs]: this block names a file and has a program, too
      --> lessons/lesson.md:13:27
       |
    13 | ```python lab id=sum file=labs/sum.py
       |                           ^^^^^^^^^^^
       |
       = help: leave the block empty, or leave out `file=`
    ");
    assert_snapshot!(shown(&course(&BODY.replace("```python lab id=sum file=labs/sum.py", "```python file=labs/sum.py"))), @"
    error[unknown-attribute]: unknown attribute `file` of a code block
      --> lessons/lesson.md:13:11
       |
    13 | ```python file=labs/sum.py
       |           ^^^^
       |
       = help: known are check, solution, same-as
    error[unknown-lab]: there is no lab `sum` above this block
      --> lessons/lesson.md:16:17
       |
    16 | ```python check=sum file=labs/sum_check.py
       |                 ^^^
       |
       = help: put the block under its lab, ```python lab id=…
    error[unknown-lab]: there is no lab `sum` above this block
      --> lessons/lesson.md:19:20
       |
    19 | ```python solution=sum
       |                    ^^^
       |
       = help: put the block under its lab, ```python lab id=…
    ");
}

#[test]
fn a_solution_that_the_instructor_has_leaves_a_lab_to_repair() {
    let lab = "```python lab id=mend title=\"Repair it\"\nraise SystemExit\n```\n\n\
               ```python solution=mend withheld\n```\n";
    let course = sample::course_with("lessons/copies.md", lab);
    let labs = course.lessons.iter().flat_map(|it| it.labs.iter());
    let lab = labs.clone().find(|it| it.id.as_str() == "mend").unwrap();
    assert_eq!(lab.solution, Some(Solution::Withheld));
    assert_eq!(lab.solution_program(), None);
    // It may give any metric.
    assert!(lab.metrics().is_none());
    let proofs = lab_proofs(&course).into_iter();
    let proofs = proofs.filter(|it| it.lab.id == lab.id);
    let proofs: Vec<_> = proofs.map(|it| (it.program, it.expect)).collect();
    assert_eq!(proofs, [("starter", Expect::Fail)]);
}

#[test]
fn right_programs_of_repairs_are_other_ways_in_each_language_and_mistakes_there_are_named() {
    let mut sources = course(BODY);
    let repairs = "```python right=sum title=\"In two lines\"\ntotal = 3\nprint(total)\n```\n\n```python wrong=sum stops=\"three\" title=\"Two\"\nprint(2)\n```\n";
    let file = "repairs/lesson.md".to_owned();
    sources.files.insert(file.clone(), repairs.into());
    assert_snapshot!(shown(&sources), @"");
    let lesson = format!("{HEAD}{BODY}");
    let german = "lessons/de/lesson.md".to_owned();
    let mut translated = sources.clone();
    translated.files.insert(german, lesson.into());
    translated.language = Language::of_path("lessons/de/lesson.md");
    for course in [parse(&sources).0, open(&sources), parse(&translated).0] {
        let ways = &course.lessons[0].labs[0].other_ways;
        let ways: Vec<_> = ways.iter().map(|it| (&*it.title, &*it.program)).collect();
        assert_eq!(ways, [("In two lines", "total = 3\nprint(total)\n")]);
    }
    let wrong = repairs.replace("right=sum", "right=sun");
    sources.files.insert(file, wrong.into());
    assert_snapshot!(shown(&sources), @"
    error[unknown-lab]: there is no lab `sun` in the lesson
     --> repairs/lesson.md:1:17
      |
    1 | ```python right=sun title=\"In two lines\"
      |                 ^^^
      |
      = help: did you mean `sum`?
    ");
}

#[test]
fn repairs_for_no_lesson_and_for_other_devices_are_named() {
    let mut sources = course(BODY);
    let repairs = "```python right=sum title=\"In two lines\" device=mps\nprint(3)\n```\n";
    for file in ["repairs/lesson.md", "repairs/lessons.md"] {
        sources.files.insert(file.to_owned(), repairs.into());
    }
    assert_snapshot!(shown(&sources), @r#"
    error[repair-form]: `device=mps` means nothing here
     --> repairs/lesson.md:1:49
      |
    1 | ```python right=sum title="In two lines" device=mps
      |                                                 ^^^
      |
      = help: leave it out, and the program is judged on the devices of its lab; or write `device=cuda`, for cards only
    warning[repair-form]: no lesson has the name of this file
     --> repairs/lessons.md:1:1
      |
    1 | ```python right=sum title="In two lines" device=mps
      | ^
      |
      = help: name the file as that of its lesson, such as `lesson.md`
    "#);
}
