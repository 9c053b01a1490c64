//! Programs of `repairs/` that are judged wrong, with pretended runs.

use super::*;

/// What is said of a file of repairs for the lab `repair`, whose check "repaired" stops only `wrong()`; `stops()` ends in its check.
fn said(repairs: &str) -> Vec<String> {
    let mut sources = course::sample::sources();
    let file = "repairs/copies.md".to_owned();
    sources.files.insert(file, repairs.to_owned().into());
    let opened = OpenCourse {
        sources,
        ..opened(honest(sample::course()))
    };
    let run_lab = |request: RunRequest| match request.source.trim() {
        "stops()" => ended(&request, raised("KeyError", true)),
        "wrong()" => {
            let mut run = ended(&request, Outcome::Done);
            run.checks.push(Check {
                ok: false,
                ..made("repaired")
            });
            run
        }
        _ => as_it_should(&request),
    };
    let (text, _) = sample::console("", |console| {
        let programs = Programs::Run(&mut each(run_lab));
        check(&opened, programs, &told(ReportForm::Text), console)
    });
    let lines = text.lines().map(str::trim);
    let of_repairs = lines.skip_while(|it| !it.starts_with("error[lab-misjudges]"));
    let told = of_repairs.filter(|it| it.starts_with("error") || it.starts_with("= help"));
    told.take(2).map(str::to_owned).collect()
}

fn program(fence: &str, source: &str) -> String {
    format!("```python {fence}=repair title=\"A way\"\n{source}\n```\n")
}

#[test]
fn what_is_judged_wrong_is_told_with_what_to_do() {
    let wrong = |stops: &str, source: &str| program(&format!("stops=\"{stops}\" wrong"), source);
    assert!(said(&wrong("repaired", "wrong()")).is_empty());
    assert!(said(&program("right", "fine()")).is_empty());
    let all = [
        program("right", "wrong()"),
        program("right", "stops()"),
        wrong("repaired", "fine()"),
        wrong("repair", "wrong()"),
    ];
    let all: Vec<_> = all.iter().map(|it| said(it).join("\n")).collect();
    insta::assert_snapshot!(all.join("\n\n"), @r#"
    error[lab-misjudges]: lab `repair`: "A way" on model:t4: the check "repaired" fails
    = help: the check in lessons/copies.md, line 31, is too strict: judge what ran (`lab.run`), not words; or this program is wrong

    error[lab-misjudges]: lab `repair`: "A way" on model:t4: the check stops with KeyError: broken
    = help: the check in lessons/copies.md, line 31, has to run to its end with every program that learners may write

    error[lab-misjudges]: lab `repair`: "A way" on model:t4: it is wrong, and passes
    = help: the check in lessons/copies.md, line 31, has to find this fault: judge what ran (`lab.run`), and run functions on other inputs (`lab.ran_again`)

    error[lab-misjudges]: lab `repair`: "A way" on model:t4: no check that ran has the name "repair"; what fails is "repaired"
    = help: write behind `stops=` the name of a check as it is in lessons/copies.md, from line 31
    "#);
}
