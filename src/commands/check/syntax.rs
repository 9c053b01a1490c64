//! Whether the programs of labs are Python. Nothing of them is run: a worker only compiles them, which needs nobody's consent.

use super::findings::Findings;
use super::program_position::{Program, line_of};
use crate::commands::console::Console;
use crate::commands::courses::OpenCourse;
use crate::commands::failure::Result;
use crate::commands::runner::RunLab;
use warpup_course::{Course, Diagnostic, Lab, Lesson, Rule, Severity, Sources, program_habits};
use warpup_protocol::{Aim, DeviceName, Limits, Outcome, RunId, RunRequest};

/// Compiles each of `PROGRAMS`, and prints number, line and message of each that is not Python.
const COMPILE: &str = r#"
for number, text in enumerate(PROGRAMS):
    try:
        compile(text, "program", "exec")
    except SyntaxError as error:
        message = " ".join(str(error.msg).split())
        print(number, error.lineno or 0, message, sep="\t")
    except (ValueError, RecursionError, MemoryError):
        pass
"#;

/// A sign that Python has no use for.
const NEVER_PYTHON: &str = "?";

/// Compiling a hundred programs takes a tenth of it.
const MOST_MS: u64 = 5_000;

/// A program of a lab.
struct LabProgram<'a> {
    lesson: &'a Lesson,
    lab: &'a Lab,
    program: Program,
    text: &'a str,
}

/// Reports each program, check and solution that is not Python.
pub(super) fn check(
    (opened, translations): (&OpenCourse, &[Course]),
    found: &mut Findings,
    run_lab: &mut RunLab<'_>,
    console: &mut Console<'_>,
) -> Result<()> {
    let OpenCourse {
        course, sources, ..
    } = opened;
    let mut programs = written(course);
    for course in translations {
        programs.extend(
            written(course)
                .into_iter()
                .filter(|it| it.lesson.is_translated()),
        );
    }
    programs.retain(|it| found.may_run(it.lesson, it.lab));
    if programs.is_empty() {
        return Ok(());
    }
    let texts: Vec<&str> = programs.iter().map(|it| it.text).collect();
    // A text of JSON means the same in Python.
    let texts = serde_json::to_string(&texts).map_err(anyhow::Error::from)?;
    let run = run_lab(request(format!("PROGRAMS = {texts}\n{COMPILE}")));
    let outcome = run.report.as_ref().map(|it| &it.outcome);
    if !matches!(outcome, Some(Outcome::Done)) {
        console.remark(
            "the programs of the labs could not be compiled; `--run-labs` runs each of them",
        )?;
    }
    for line in run.output.lines() {
        let mut parts = line.splitn(3, '\t');
        let mut number = || parts.next().and_then(|it| it.parse::<usize>().ok());
        let (Some(index), Some(line)) = (number(), number()) else {
            continue;
        };
        let (Some(at), Some(message)) = (programs.get(index), parts.next()) else {
            continue;
        };
        let said = SyntaxMessage {
            line,
            message: message.to_owned(),
        };
        let said = in_pythons_words(at.text, run_lab).unwrap_or(said);
        found.diagnostics.push(diagnostic(at, sources, &said));
    }
    Ok(())
}

/// What Python says about a program.
struct SyntaxMessage {
    /// From 1.
    line: usize,
    message: String,
}

/// What Python says about a program that does not compile, if the worker knows its words.
fn in_pythons_words(program: &str, run_lab: &mut RunLab<'_>) -> Option<SyntaxMessage> {
    // No program is Python with this at its end, so none of it can run.
    let run = run_lab(request(format!("{program}\n{NEVER_PYTHON}")));
    let Some(Outcome::Raised(raised)) = run.report.map(|it| it.outcome) else {
        return None;
    };
    let line = usize::try_from(raised.line).ok()?;
    let is_syntax = ["SyntaxError", "IndentationError", "TabError"].contains(&&*raised.kind);
    let is_in_it = (1..=program.lines().count()).contains(&line);
    (is_syntax && is_in_it).then_some(SyntaxMessage {
        line,
        message: raised.message,
    })
}

fn written(course: &Course) -> Vec<LabProgram<'_>> {
    let mut all = Vec::new();
    for lesson in &course.lessons {
        for lab in &lesson.labs {
            let programs = [
                (Program::Starter, Some(lab.starter.as_str())),
                (Program::Check, lab.check.as_deref()),
                (Program::Solution, lab.solution_program()),
            ];
            for (program, text) in programs {
                all.extend(text.map(|text| LabProgram {
                    lesson,
                    lab,
                    program,
                    text,
                }));
            }
        }
    }
    all
}

fn diagnostic(at: &LabProgram<'_>, sources: &Sources, said: &SyntaxMessage) -> Diagnostic {
    let SyntaxMessage { line, message } = said;
    let what = at.program.word();
    // A starter may be broken on purpose.
    let is_to_repair = at.program == Program::Starter && at.lab.solution.is_some();
    let line_of_it = at.text.lines().nth(line.saturating_sub(1));
    let habit = line_of_it.and_then(program_habits::instead);
    let hint = if let Some(known) = habit.or_else(|| program_habits::instead_of_sign(message)) {
        known
    } else if is_to_repair {
        "learners read Python's message for it; if that is what they are to repair, nothing is wrong"
    } else if at.text.lines().any(|it| it.starts_with(">>> ")) {
        "leave out the `>>> ` of the interpreter, and what it printed"
    } else {
        "correct this line, or the one above it"
    };
    let (file, span) = line_of(sources, at.lesson, at.lab, at.program, *line);
    Diagnostic {
        severity: if is_to_repair {
            Severity::Warning
        } else {
            Severity::Error
        },
        rule: Rule::ProgramSyntax,
        file,
        span,
        message: format!("the {what} of lab `{}` is not Python: {message}", at.lab.id),
        hint: Some(hint.to_owned()),
        fix: None,
    }
}

fn request(source: String) -> RunRequest {
    RunRequest {
        run: RunId(0),
        name: "programs.py".to_owned(),
        source,
        check: None,
        device: DeviceName::Cpu,
        limits: Limits {
            time_ms: MOST_MS,
            spans: 0,
            ..Limits::default()
        },
        trace: false,
        modules: Vec::new(),
        place: None,
        arguments: Vec::new(),
        aim: Aim::Run,
        timed: false,
    }
}
