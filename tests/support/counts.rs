//! The programs of `tests/fixtures/counts`: what their checks print on each kind of device.

use super::lab_runner::{LabRunner, outcome};
use super::programs::fixtures;
use super::request::python_on;
use warpup_protocol::{Outcome, RunRequest};

const CHECK: &str = "# --- check\n";

/// Runs all of them on a device; what differs from what they say.
pub(crate) fn differences(runner: &mut LabRunner, device: &str) -> Vec<String> {
    let mut differences = Vec::new();
    for (name, source) in fixtures("counts") {
        let (program, check) = source.split_once(CHECK).unwrap();
        let expected = expected(check, device);
        let request = RunRequest {
            check: Some(check.to_owned()),
            ..python_on(device, program)
        };
        let run = runner.run(request);
        let checks = run.checks.iter().map(|it| match (it.ok, &it.hint) {
            (true, _) => format!("ok: {}", it.name),
            (false, hint) => format!("not: {}: {}", it.name, hint.as_deref().unwrap_or("-")),
        });
        let lines = run.output.lines().map(str::to_owned).chain(checks);
        let printed = lines.collect::<Vec<_>>().join("\n");
        if outcome(&run) != &Outcome::Done || printed != expected {
            let ended = outcome(&run);
            differences.push(format!(
                "{name} on {device}: {ended:?}\n{printed}\nand not\n{expected}"
            ));
        }
    }
    differences
}

/// What a check says that it prints: what is different on a real card comes before what all cards have.
fn expected(check: &str, device: &str) -> String {
    let sides: &[&str] = match device {
        "cpu" => &["# cpu: "],
        "cuda" => &["# cuda: ", "# card: "],
        _ => &["# card: "],
    };
    let said = sides.iter().map(|side| {
        let lines = check.lines().filter_map(|it| it.strip_prefix(side));
        lines.collect::<Vec<_>>().join("\n")
    });
    said.into_iter()
        .find(|it| !it.is_empty())
        .unwrap_or_default()
}
