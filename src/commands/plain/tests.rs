//! What is typed, and what is said.

use super::*;
use crate::commands::failure::Failure;
use crate::commands::sample;
use warpup_course::{Course, OtherWay, sample::course_with};
use warpup_lab::run::Run;
use warpup_protocol::{DeviceInfo, DeviceName, Report, RunRequest};

/// Takes the sample course with these lines, on a machine that has a CPU and runs nothing to a good end.
fn taken(lines: &[&str]) -> String {
    taken_of(&sample::course(), lines)
}

/// Takes a course with these lines.
fn taken_of(of: &Course, lines: &[&str]) -> String {
    let (text, exit) = sample::with_context(&lines.join("\n"), |context| {
        let context = &mut CommandContext {
            course: of,
            learner: &mut *context.learner,
            console: &mut *context.console,
            consent: None,
            clock: context.clock,
        };
        let mut run_lab = |request: RunRequest| {
            let mut run = Run::new(request.run);
            run.report = Some(Report::broken("the test has no worker"));
            run
        };
        course(
            context,
            Devices {
                run_lab: &mut run_lab,
                can_run_on: &|device| match device {
                    DeviceName::Cpu => Ok(()),
                    DeviceName::Cuda(_) | DeviceName::Model(_) => {
                        Err(Failure::arguments_but("there is no such card", "take cpu"))
                    }
                },
                all: vec![DeviceInfo::cpu(1)],
            },
        )
    });
    assert_eq!(exit, Exit::Fine);
    text
}

/// What was said to the last line.
fn said_to(lines: &[&str]) -> String {
    let all = taken(lines);
    let mut said = all.split("\n> ").skip(lines.len() - 1);
    said.next().unwrap_or_default().trim().to_owned()
}

#[test]
fn the_list_of_lessons_comes_first_and_the_end_of_the_input_ends_it() {
    insta::assert_snapshot!(taken(&[]), @"
    CUDA, understood
    What a copy costs.

    0 of 1 lesson done.

      1. What a copy costs (new, 20 min)

    A lesson's number, Enter for What a copy costs, 20 min, help, or quit: 
    Until next time.
    ");
}

#[test]
fn a_lesson_is_read_page_by_page_to_the_quiz() {
    insta::assert_snapshot!(taken(&["1", "", "next", "back", "back", "quit"]), @r#"
    CUDA, understood
    What a copy costs.

    0 of 1 lesson done.

      1. What a copy costs (new, 20 min)

    A lesson's number, Enter for What a copy costs, 20 min, help, or quit: 
    What a copy costs, page 1 of 2

    What a copy costs
    -----------------

    A copy is never free.

    Enter for the next page, `help` for all commands.

    > 
    What a copy costs, page 2 of 2

    The bus
    -------

    It is narrow.

    Lab: Try the bus

        import torch
        x = torch.ones(3).to("cuda")

    Run it: run bus

    Lab: Try the repair

        broken()

    Run it: run repair

    This is the last page: `quiz` for the quiz, `run LAB` for a
    lab, `help` for all commands.

    > That was the last page. `quiz` takes the quiz, `map` lists the lessons.

    > 
    What a copy costs, page 1 of 2

    What a copy costs
    -----------------

    A copy is never free.

    Enter for the next page, `help` for all commands.

    > This is the first page.

    > Until next time.
    "#);
}

#[test]
fn what_cannot_be_done_says_so_and_the_course_goes_on() {
    let to = |line| said_to(&["1", line]);
    insta::assert_snapshot!(to("run"), @"This page has no lab; page 2 has one: `page 2`.");
    insta::assert_snapshot!(to("run nothing"), @"There is no lab `nothing` here; there are bus, repair.");
    insta::assert_snapshot!(to("device toaster"), @r"
    error: `toaster` is not a device
    hint: type `device` for a list of those that there are
    ");
    insta::assert_snapshot!(to("device model:t4"), @r"
    error: there is no such card
    hint: take cpu
    ");
    insta::assert_snapshot!(to("take /nowhere/a.py bus"), @"
    error: cannot read /nowhere/a.py
    cause: there is no folder /nowhere
    hint: look at the path again
    ");
    insta::assert_snapshot!(to("edit bus"), @r"
    error: there is no editor to open: VISUAL and EDITOR name none, or this is not a terminal
    hint: `save FILE`, change the file, then `take FILE`
    ");
    insta::assert_snapshot!(to("candle bus"), @"This lab has no version in candle.");
    insta::assert_snapshot!(to("page 7"), @"This lesson has 2 pages.");
}

#[test]
fn a_lesson_that_is_not_there_is_asked_for_again() {
    insta::assert_snapshot!(taken(&["9", "copies"]).lines().skip(6).take(6).collect::<Vec<_>>().join("\n"), @"

    A lesson's number, Enter for What a copy costs, 20 min, help, or quit: There is no lesson `9`: type a number from 1 to 1.

    A lesson's number, Enter for What a copy costs, 20 min, help, or quit: 
    What a copy costs, page 1 of 2
    ");
}

#[test]
fn a_solution_before_a_pass_is_asked_about() {
    insta::assert_snapshot!(said_to(&["1", "solution repair", "n"]), @"Until next time.");
    insta::assert_snapshot!(taken(&["1", "solution repair", "y"]).lines().rev().take(4).collect::<Vec<_>>().join("\n"), @r"
    Until next time.
    > 

    > Show the solution before you have passed? [y/N]   1  repaired()
    ");
}

#[test]
fn a_solution_asked_for_again_is_another_way() {
    let mut course = sample::course();
    course.lessons[0].labs[1].other_ways = ["One line", "Two lines"]
        .map(|title| OtherWay {
            title: title.to_owned(),
            program: format!("{}()\n", title.to_lowercase().replace(' ', "_")),
        })
        .to_vec();
    let ask = "solution repair";
    let all = taken_of(&course, &["1", ask, "y", ask, ask, ask]);
    let (_, said) = all.split_once("[y/N]").unwrap();
    insta::assert_snapshot!(said.trim(), @"
    1  repaired()
    `solution` shows other way 1 of 2: One line

    > Other way 1 of 2: One line
      1  one_line()
    `solution` shows other way 2 of 2: Two lines

    > Other way 2 of 2: Two lines
      1  two_lines()

    >   1  repaired()
    `solution` shows other way 1 of 2: One line

    > 
    Until next time.
    ");
}

#[test]
fn a_program_goes_to_a_file_and_comes_back_changed() {
    let dir = tempfile::TempDir::new().unwrap();
    let file = dir.path().join("bus.py");
    let name = file.to_str().unwrap();
    let saved = said_to(&["1", &format!("save {name} bus")]);
    insta::assert_snapshot!(saved.replace(name, "FILE"), @"Written. Change it, then `take FILE`.");
    let refused = said_to(&["1", &format!("save {name} bus")]);
    insta::assert_snapshot!(refused.replace(name, "FILE"), @"
    error: FILE exists already, and nothing was written
    hint: choose another name
    ");
    std::fs::write(&file, "print(1)\n").unwrap();
    let take = format!("take {name} bus");
    insta::assert_snapshot!(said_to(&["1", &take, "show bus"]), @"1  print(1)");
    insta::assert_snapshot!(said_to(&["1", &take, "reset bus", "show bus"]), @r#"
    1  import torch
      2  x = torch.ones(3).to("cuda")
    "#);
}

#[test]
fn hints_come_one_by_one() {
    insta::assert_snapshot!(said_to(&["1", "hint repair"]), @r"
    Hint 1 of 1
    What is `broken`?
    ");
    insta::assert_snapshot!(said_to(&["1", "hint repair", "hint repair"]), @"There is no other hint; the next one is the first.");
    insta::assert_snapshot!(said_to(&["1", "hint bus"]), @"This lab has no hints.");
}

#[test]
fn help_is_given_at_the_list_of_lessons() {
    let text = taken(&["help", "back", "quit"]);
    let said: Vec<_> = text.lines().skip(6).collect();
    insta::assert_snapshot!(said.join("\n"), @"

    A lesson's number, Enter for What a copy costs, 20 min, help, or quit: A number or a lesson's name opens the lesson; Enter opens the one named above.
    `quit` leaves; all is saved. In a lesson, `help` lists what works there.

    A lesson's number, Enter for What a copy costs, 20 min, help, or quit: This is the list of lessons: there is nothing behind it.

    A lesson's number, Enter for What a copy costs, 20 min, help, or quit: Until next time.
    ");
}

#[test]
fn a_quiz_is_left_to_the_page_or_out_of_the_course() {
    let back = taken(&["1", "quiz", "back", "again", "quit"]);
    assert!(
        back.contains("You left the quiz before your first answer; it starts again next time.\n\n> \nWhat a copy costs, page 1"),
        "{back}"
    );
    let quit = taken(&["1", "quiz", "quit", "again"]);
    assert!(
        quit.ends_with("> You left the quiz before your first answer; it starts again next time.\nUntil next time.\n"),
        "{quit}"
    );
}

#[test]
fn an_answer_is_read_when_it_is_asked_for() {
    let more = "
## Why {#why}

Why is the bus slow?

- Think first.

  <details><summary>Answer</summary>

  It is *narrow*.

  > As said.

  </details>

And the disk?

<details><summary>Another answer</summary>

Slower.

</details>

Now go on.
";
    let course = course_with("lessons/places.md", more);
    let lines = [
        "1", "page 3", "answer", "a", "answer", "answer", "back", "a", "quit",
    ];
    let said = taken_of(&course, &lines);
    let (_, from) = said.split_once("page 3 of 3").unwrap();
    insta::assert_snapshot!(from, @r#"
    Why
    ---

    Why is the bus slow?

    - Think first.

      Answer (type `answer` to read it)

    And the disk?

    Another answer (type `answer` to read it)

    Now go on.

    This is the last page: `quiz` for the quiz, `help` for all
    commands.

    > Answer:
      It is narrow.

      > As said.

    > Another answer:
      Slower.

    > There is no other answer; the next one is the first.

    > Answer:
      It is narrow.

      > As said.

    > 
    Where a tensor lives, page 2 of 3

    Put it there
    ------------

    Decide what it prints, then run it.

    Lab: Put it on the device

        import torch
        x = torch.ones(3).to("cuda")
        print(x.device)

    Run it: run placement

    Lab: Time a sum

        print(1)

    Run it: run timing

    Enter for the next page, `run LAB` for a lab, `help` for all
    commands.

    > There is no answer to read here.

    > Until next time.
    "#);
}

#[test]
fn a_page_stops_at_its_pause_until_enter() {
    let more = "
## Why {#why}

What do you expect?

<!-- pause -->

The bus is narrow.

<!-- pause -->

So it is.

## End {#end}

That was all.
";
    let course = course_with("lessons/places.md", more);
    let said = taken_of(
        &course,
        &["1", "page 3", "", "again", "", "next", "back", "quit"],
    );
    let (_, from) = said.split_once("page 3 of 4").unwrap();
    insta::assert_snapshot!(from, @"
    Why
    ---

    What do you expect?

    Enter shows what follows.

    > 
    The bus is narrow.

    Enter shows what follows.

    > 
    Where a tensor lives, page 3 of 4

    Why
    ---

    What do you expect?

    The bus is narrow.

    Enter shows what follows.

    > 
    So it is.

    Enter for the next page, `help` for all commands.

    > 
    Where a tensor lives, page 4 of 4

    End
    ---

    That was all.

    This is the last page: `quiz` for the quiz, `help` for all
    commands.

    > 
    Where a tensor lives, page 3 of 4

    Why
    ---

    What do you expect?

    The bus is narrow.

    So it is.

    Enter for the next page, `help` for all commands.

    > Until next time.
    ");
}

#[test]
fn a_missed_question_names_the_page_as_it_is_typed_here() {
    let text = taken(&["1", "quiz", "1", "quit"]);
    let again = text.lines().find(|it| it.contains("Look again"));
    insta::assert_snapshot!(again.unwrap_or_default(), @"  Look again: page 2 of the lesson (`back`, then `page 2`)");
}

#[test]
fn a_long_summary_and_the_line_under_a_page_break_between_words() {
    let mut course = sample::course();
    course.summary =
        "What runs where, what a copy costs, why a timer lies, and what to check first.".into();
    let text = taken_of(&course, &["1", "page 2"]);
    let head: Vec<_> = text.lines().take(3).collect();
    insta::assert_snapshot!(head.join("\n"), @"
    CUDA, understood
    What runs where, what a copy costs, why a timer lies, and
    what to check first.
    ");
    let (_, end) = text.rsplit_once("Run it: run repair").unwrap();
    insta::assert_snapshot!(end, @"
    This is the last page: `quiz` for the quiz, `run LAB` for a
    lab, `help` for all commands.

    > 
    Until next time.
    ");
}

#[test]
fn enter_goes_on_where_the_list_says() {
    // A page that was only opened, then one that was left for the next, then the quiz.
    let text = taken(&["", "map", "", "next", "map", "", "quit"]);
    let lines = text.lines().filter(|it| {
        let begins = [
            "A lesson's number",
            "What a copy costs, page",
            "What a copy costs:",
        ];
        begins.iter().any(|begin| it.contains(begin))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    A lesson's number, Enter for What a copy costs, 20 min, help, or quit: 
    What a copy costs, page 1 of 2
    A lesson's number, Enter for What a copy costs, 20 min, help, or quit: 
    What a copy costs, page 1 of 2
    What a copy costs, page 2 of 2
    A lesson's number, Enter for What a copy costs, the quiz, help, or quit: What a copy costs: 4 points, you need 4
    ");
}
