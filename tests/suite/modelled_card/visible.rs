//! `CUDA_VISIBLE_DEVICES`, from the program and from the shell.

use super::{from_shell, run_on};
use crate::support::lab_runner::run_once;

/// What a program prints that sets the variable and asks for cards.
fn cards(setting: &str) -> String {
    let source = format!(
        "import os\n{setting}\nimport torch\nprint(torch.cuda.is_available(), torch.cuda.device_count())"
    );
    run_on("t4", &source).output
}

#[test]
fn the_variable_hides_the_card_or_leaves_it() {
    for (setting, expected) in [
        ("", "True 1\n"),
        ("os.environ['CUDA_VISIBLE_DEVICES'] = '0'", "True 1\n"),
        ("os.environ['CUDA_VISIBLE_DEVICES'] = '0,1'", "True 1\n"),
        ("os.environ['CUDA_VISIBLE_DEVICES'] = '-1'", "False 0\n"),
        ("os.environ['CUDA_VISIBLE_DEVICES'] = ''", "False 0\n"),
        (
            "os.environ.setdefault('CUDA_VISIBLE_DEVICES', '1')",
            "False 0\n",
        ),
        (
            "os.environ['CUDA_VISIBLE_DEVICES'] = '-1'; del os.environ['CUDA_VISIBLE_DEVICES']",
            "True 1\n",
        ),
    ] {
        assert_eq!(cards(setting), expected, "{setting}");
    }
}

/// As in PyTorch: the driver reads the variable once.
#[test]
fn a_program_that_has_asked_for_a_card_sees_it_to_the_end() {
    let setting =
        "import torch; torch.cuda.is_available(); os.environ['CUDA_VISIBLE_DEVICES'] = ''";
    assert_eq!(cards(setting), "True 1\n");
}

#[test]
fn a_tensor_cannot_go_to_a_card_that_is_hidden() {
    let setting = "os.environ['CUDA_VISIBLE_DEVICES'] = ''\nimport torch\ntry: torch.ones(2).cuda()\nexcept RuntimeError as error: print(error)";
    insta::assert_snapshot!(cards(setting), @"
    No CUDA GPUs are available
    CUDA_VISIBLE_DEVICES hides the card of this run from the program
    False 0
    ");
}

#[test]
fn the_shell_hides_the_card_and_the_run_says_so() {
    let source = "import os, torch
print(os.environ.get('CUDA_VISIBLE_DEVICES'), torch.cuda.device_count())
try: torch.cuda.get_device_properties(0)
except RuntimeError as error: print(str(error).splitlines()[0])
";
    let run = |list| run_once(from_shell("t4", &[("CUDA_VISIBLE_DEVICES", list)], source));
    let hidden = run("1,0");
    assert_eq!(hidden.output, "1,0 0\nNo CUDA GPUs are available\n");
    let notes = hidden.report.unwrap().notes;
    assert!(notes[0].contains("hides the modelled card"), "{notes:?}");
    let seen = run("GPU-6d6f");
    assert_eq!(seen.output, "GPU-6d6f 1\n");
    assert!(seen.report.unwrap().notes.is_empty());
}

#[test]
fn a_second_card_is_refused_as_in_pytorch() {
    let source = "import torch
for what in (lambda: torch.ones(2, device='cuda:1'), lambda: torch.cuda.set_device(1)):
    try: what()
    except torch.AcceleratorError as error: print(error)
";
    insta::assert_snapshot!(run_on("t4", source).output, @"
    CUDA error: invalid device ordinal
    GPU device may be out of range, do you have enough GPUs?
    this run has one card, cuda:0
    CUDA error: invalid device ordinal
    GPU device may be out of range, do you have enough GPUs?
    this run has one card, cuda:0
    ");
}

#[test]
fn the_environment_takes_text_only() {
    let source = "import os
try: os.environ['CUDA_LAUNCH_BLOCKING'] = 1
except TypeError as error: print(error)
os.environ['A'] = 'b'
os.environ.clear()
print(dict(os.environ))
";
    assert_eq!(run_on("t4", source).output, "str expected, not int\n{}\n");
}
