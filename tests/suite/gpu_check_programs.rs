//! The programs of `benches/card`, which `scripts/gpu-check` runs on a card, run with small sizes on a modelled
//! card and report the figures that the script looks for.

use crate::support::lab_runner::LabRunner;
use crate::support::request::python_on;
use crate::support::source;
use std::collections::BTreeSet;

/// The program with small sizes.
fn small(program: &str) -> String {
    let line = |line: &str| match line.split_once(" = ") {
        Some(("N", _)) => "N = 64".to_owned(),
        Some((name @ ("SAMPLES" | "WARMUPS" | "REPEATS" | "PIECES" | "WORK_MS"), _)) => {
            format!("{name} = 2")
        }
        _ => line.to_owned(),
    };
    program.lines().map(|it| line(it) + "\n").collect()
}

/// The figures by name, without the number of their sample.
fn reported(runner: &mut LabRunner, program: &str) -> BTreeSet<String> {
    let run = runner.run_to_done(python_on("model:h200", small(program)));
    let names = run.metrics.iter().map(|it| it.name.split(" #").next());
    names.map(|it| it.unwrap().to_owned()).collect()
}

#[test]
fn programs_for_a_card_report_what_gpu_check_looks_for() {
    let script = &source::files_under("scripts/gpu_check/rates.py")[0].text;
    let mut runner = LabRunner::start();
    let mut programs = 0;
    for file in source::files_under("benches/card") {
        let reported = reported(&mut runner, &file.text);
        assert!(!reported.is_empty(), "{} reports nothing", file.path);
        let name = file.path.rsplit('/').next().unwrap();
        assert!(script.contains(name), "gpu-check does not run {name}");
        for figure in [
            "matmul bfloat16",
            "matmul float32",
            "matmul TF32",
            "launches",
        ] {
            let (kind, _) = figure.split_once(' ').unwrap_or((figure, ""));
            let is_its_own = name.starts_with(kind);
            assert_eq!(reported.contains(figure), is_its_own, "{name}: {figure}");
            assert!(script.contains(figure), "gpu-check does not judge {figure}");
        }
        programs += 1;
    }
    assert_eq!(programs, 9);
}
