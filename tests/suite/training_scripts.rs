//! The training scripts of `tests/fixtures/scripts`, made small enough to compute, run to their end.
//!
//! They are written for PyTorch, and `scripts/pytorch-fixtures` holds that PyTorch runs them. What they
//! cost in their full size is the matter of `plan`.

use crate::labs::{self, Labs, python};
use crate::source;
use warpup::protocol::{DeviceName, Outcome, RunRequest};

/// The script with every size cut down, and with warpup in the place of PyTorch.
fn tiny(script: &str) -> String {
    let line = |line: &str| match line.split_once(" = ") {
        Some((name, size)) if is_constant(name) => match size.parse::<u64>() {
            // Heads share a width.
            Ok(size) if name == "WIDTH" => format!("{name} = {}", size.min(24)),
            Ok(size) => format!("{name} = {}", size.min(12)),
            Err(_) => line.to_owned(),
        },
        _ if line == "import torch" => "import warpup as torch".to_owned(),
        _ => line.replace("import torch.", "import warpup."),
    };
    script.lines().map(|it| line(it) + "\n").collect()
}

fn is_constant(name: &str) -> bool {
    name.chars().all(|it| it.is_ascii_uppercase() || it == '_')
}

/// The losses that a script printed.
fn losses(output: &str) -> Vec<f64> {
    let after = output.split("loss ").skip(1);
    let words = after.filter_map(|it| it.split_whitespace().next());
    words
        .filter_map(|it| it.trim_end_matches(',').parse().ok())
        .collect()
}

#[test]
fn training_scripts_end_and_a_card_changes_no_loss() {
    let mut labs = Labs::start();
    for script in source::files_under("tests/fixtures/scripts") {
        let source = tiny(&script.text);
        let devices = [DeviceName::Cpu, DeviceName::Model("t4".to_owned())];
        let [on_cpu, on_card] = devices.map(|device| {
            let run = labs.run(RunRequest {
                device,
                ..python(&source)
            });
            let ending = labs::outcome(&run);
            assert_eq!(ending, &Outcome::Done, "{}", script.path);
            run.output
        });
        let found = losses(&on_cpu);
        assert!(found.len() > 1, "{}: {on_cpu}", script.path);
        assert!(found.iter().all(|it| it.is_finite()), "{found:?}");
        assert_eq!(found, losses(&on_card), "{}", script.path);
    }
}
