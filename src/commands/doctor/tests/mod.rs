//! The doctor on made-up machines: descriptions in, reports out.

mod machine;

use crate::commands::console::{Console, Format, Prompt, TerminalStreams};
use crate::commands::failure::Exit;
use crate::commands::sample::{self, course};
use machine::{made_up, names};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use warpup_doctor::{LadderVerdict, Report, RungState, climb};
use warpup_text::shown::Letters;

/// What is said of each machine; each is looked at once.
static REPORTS: LazyLock<BTreeMap<String, Report>> = LazyLock::new(|| {
    let look = |name: &String| climb(&made_up(name).machine.look(&mut |_| {}));
    names().iter().map(|it| (it.clone(), look(it))).collect()
});

/// What is said of a machine whose card is left alone.
pub(in crate::commands) fn left_alone(name: &str) -> Report {
    climb(&made_up(name).machine.look_around())
}

/// That in a terminal of 80 columns, with the exit status before it.
fn printed(report: &Report, letters: Letters) -> (String, Exit) {
    let mut out = Vec::new();
    let exit = super::print(
        report,
        &course(),
        &[],
        Format::Text,
        &mut Console {
            warpup: "warpup".to_owned(),
            built_in: "warpup".to_owned(),
            prompt: Prompt::Shell,
            input: &mut "".as_bytes(),
            out: &mut out,
            err: &mut Vec::new(),
            is_terminal: false,
            draws: TerminalStreams::default(),
            has_colours: false,
            width: 80,
            letters,
        },
    );
    (
        String::from_utf8(out).unwrap(),
        exit.unwrap_or(Exit::InternalError),
    )
}

#[test]
fn every_machine_is_told_what_is_wrong_with_it() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(machine::folder());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (name, report) in &*REPORTS {
        let (text, exit) = printed(report, Letters::Unicode);
        let text = format!("exit status: {exit:?}\n\n{text}");
        settings.bind(|| insta::assert_snapshot!(name.as_str(), text));
    }
}

#[test]
fn a_broken_machine_is_told_one_cause_and_one_next_step() {
    let mut causes: BTreeMap<(String, Option<String>), String> = BTreeMap::new();
    for (name, report) in &*REPORTS {
        for rung in &report.rungs {
            assert!(!rung.says.is_empty(), "{name}: {rung:?}");
        }
        if report.verdict() != LadderVerdict::Broken {
            continue;
        }
        assert_eq!(report.count(RungState::Broken), 1, "{name}");
        assert!(
            report.next_step().is_some_and(|it| !it.is_empty()),
            "{name}"
        );
        // One cause may have another remedy, as where pip installed warpup.
        let told = (report.summary(), report.next_step().map(str::to_owned));
        let earlier = causes.insert(told, name.clone());
        assert_eq!(earlier, None, "two machines with one sentence: {name}");
    }
    assert!(causes.len() >= 20, "{} causes", causes.len());
}

#[test]
fn a_report_fits_into_80_columns_and_into_ascii() {
    for (name, report) in &*REPORTS {
        let (text, _) = printed(report, Letters::Unicode);
        for line in text.lines().filter(|it| it.contains(' ')) {
            assert!(
                unicode_width::UnicodeWidthStr::width(line) <= 80,
                "{name}: {line}"
            );
        }
        let (text, _) = printed(report, Letters::Ascii);
        let signs = ['✓', '✗', '–', '·'];
        assert!(!text.contains(signs), "{name}: {text}");
    }
}

#[test]
fn the_page_about_the_doctor_has_every_rung() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/doctor.md");
    let page = std::fs::read_to_string(page).unwrap();
    for rung in &REPORTS["healthy-h200"].rungs {
        let id = serde_json::to_value(rung.id).unwrap();
        let row = format!("| `{}` | {} |", id.as_str().unwrap(), rung.title);
        assert!(page.contains(&row), "{row}");
    }
}

#[test]
fn as_json_a_report_has_stable_keys() {
    let report = &REPORTS["no-driver"];
    let (text, exit) = sample::console("", |console| {
        super::print(report, &course(), &[], Format::Json, console)
    });
    assert_eq!(exit, Exit::Wrong);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "first_broken",
            "format",
            "next_step",
            "rungs",
            "summary",
            "values",
            "verdict",
            "warpup"
        ]
    );
    assert_eq!(json["verdict"], "broken");
    assert_eq!(json["first_broken"], "driver");
    let rung = json["rungs"][1].as_object().unwrap();
    let keys: Vec<&String> = rung.keys().collect();
    assert_eq!(
        keys,
        [
            "evidence",
            "id",
            "lesson",
            "looked_at",
            "says",
            "state",
            "title",
            "try_next"
        ]
    );
    assert_eq!(json["rungs"][2]["state"], "not-looked-at");
}
