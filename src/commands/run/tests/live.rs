//! A program of the learner's own: what goes to stdout, and what to stderr.

use super::*;

/// A run that prints to both streams in parts, and ends like this.
fn printing(request: &RunRequest, hear: &mut ReplyListener<'_>, outcome: Outcome) -> Result<Run> {
    let (run, went_well) = (request.run, went_well(request.clone()));
    let parts = [
        ("step 1", Standard::Output),
        (" of 2\r\tstep\x1b[1m 2\n\n", Standard::Output),
        ("a warning\n", Standard::Error),
        ("no line feed", Standard::Output),
    ];
    let device = went_well.device.clone().unwrap();
    let started = Reply::Started { run, device };
    assert!(hear(started)?.is_some());
    for (text, to) in parts {
        let text = text.to_owned();
        assert_eq!(hear(Reply::Output { run, text, to })?, None);
    }
    Ok(Run {
        output: String::new(),
        checks: Vec::new(),
        report: went_well.report.map(|it| Report { outcome, ..it }),
        ..went_well
    })
}

/// What a file prints on stdout and on stderr, with the exit status.
fn file(change: impl FnOnce(&mut RunArgs), outcome: &Outcome) -> (String, String, Exit) {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("mine.py");
    fs::write(&path, "x = 1\ny = 2\n").unwrap();
    let mut args = args(path.to_str().unwrap());
    change(&mut args);
    sample::streams("", |console| {
        sample::sit(console, |context| {
            run_live(
                context,
                &args,
                ConsentPrompt::Given,
                &mut |request, hear| printing(&request, hear, outcome.clone()),
            )
        })
    })
}

/// Untouched, into a pipe.
const PRINTED: &str = "step 1 of 2\r\tstep\x1b[1m 2\n\nno line feed";

#[test]
fn a_program_has_stdout_to_itself() {
    let (out, err, exit) = file(|_| {}, &Outcome::Done);
    assert_eq!((out.as_str(), exit), (PRINTED, Exit::Fine));
    insta::assert_snapshot!(err, @"
    mine.py on Tesla T4 (modelled)
    a warning

    batch_mib = 12 MiB

    Time by line, MODELLED:
    line  times     host  waited  device
       2      1  1.20 ms          840 µs  y = 2
                 40.0 µs                  (outside of lines)

    In all, MODELLED: host 1.24 ms, device 840 µs
    Memory, MODELLED: tensors held at most 12.0 MiB at line 2,
      the allocator 20.0 MiB, of 16.0 GiB
    ");
}

#[test]
fn quiet_drops_all_but_the_programs_own_words() {
    let (out, err, exit) = file(|it| it.quiet = true, &Outcome::Done);
    assert_eq!((out.as_str(), exit), (PRINTED, Exit::Fine));
    assert_eq!(err, "a warning\n");
    let traceback = "Traceback (most recent call last):\nValueError: no\n".to_owned();
    let raised = Outcome::Raised(UncaughtException {
        kind: "ValueError".to_owned(),
        message: "no".to_owned(),
        line: 2,
        traceback,
        in_check: false,
        status: None,
    });
    let (out, err, exit) = file(|it| it.quiet = true, &raised);
    assert_eq!((out.as_str(), exit), (PRINTED, Exit::Wrong));
    insta::assert_snapshot!(err, @r"
    a warning
    Traceback (most recent call last):
    ValueError: no
    ");
}

#[test]
fn a_reader_that_went_away_ends_the_run() {
    let (_, err, exit) = sample::streams("", |console| {
        let mut closed = Closed;
        let mut console = Console {
            warpup: "warpup".to_owned(),
            built_in: "warpup".to_owned(),
            input: &mut *console.input,
            out: &mut closed,
            err: &mut *console.err,
            ..*console
        };
        sample::sit(&mut console, |context| {
            run_live(
                context,
                &args("copies/bus"),
                ConsentPrompt::Given,
                &mut |request, hear| printing(&request, hear, Outcome::Done),
            )
        })
    });
    assert_eq!((err.as_str(), exit), ("", Exit::Fine));
}

/// An output whose reader went away.
struct Closed;

impl std::io::Write for Closed {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_file_may_compute_for_as_long_as_the_command_says() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("mine.py");
    fs::write(&path, "x = 1\n").unwrap();
    let limit_of = |limit| {
        let args = RunArgs {
            limit,
            ..args(path.to_str().unwrap())
        };
        let mut asked = 0;
        ran(&args, &mut |request| {
            asked = request.limits.time_ms;
            went_well(request)
        });
        asked
    };
    assert_eq!((limit_of(None), limit_of(Some(7))), (300_000, 7_000));
}

#[test]
fn a_file_that_ran_out_of_time_names_the_option() {
    let (_, err, exit) = file(|args| args.limit = Some(7), &Outcome::TimedOut);
    assert_eq!(exit, Exit::Wrong);
    let stopped = "Stopped: it took longer than the 7 s that `--limit` allows; look for a loop that does not end.";
    assert!(err.contains(stopped), "{err}");
}

#[test]
fn a_course_that_limits_a_file_is_named() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("mine.py");
    fs::write(&path, "x = 1\n").unwrap();
    let args = args(path.to_str().unwrap());
    let mut course = sample::course();
    course.policy.seconds = Some(2);
    let (text, _) = sample::with_context_in(&course, "", |context| {
        run_live(
            context,
            &args,
            ConsentPrompt::Given,
            &mut |request, hear| {
                assert_eq!(request.limits.time_ms, 2000);
                printing(&request, hear, Outcome::TimedOut)
            },
        )
    });
    let stopped = "it took longer than the 2 s that this course allows; look for a loop";
    assert!(text.contains(stopped), "{text}");
}

#[test]
fn a_lab_has_its_own_limit() {
    let args = RunArgs {
        limit: Some(7),
        ..args("copies/bus")
    };
    let (text, exit) = ran(&args, &mut went_well);
    assert_eq!(exit, Exit::Arguments, "{text}");
}

#[test]
fn a_program_that_exits_has_no_traceback() {
    let exited = |message: &str| {
        let raised = UncaughtException {
            kind: "SystemExit".to_owned(),
            message: message.to_owned(),
            line: 1,
            traceback: format!("Traceback (most recent call last):\nSystemExit: {message}"),
            in_check: false,
            status: message.parse().ok(),
        };
        file(|_| {}, &Outcome::Raised(raised)).1
    };
    let said = exited("no data");
    assert!(said.contains("\nno data\n"), "{said}");
    for said in [said, exited("7")] {
        assert!(!said.contains("Traceback"), "{said}");
        assert!(!said.contains("SystemExit"), "{said}");
    }
}
