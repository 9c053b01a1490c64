//! `CUDA_VISIBLE_DEVICES` in the program's own environment.

use super::run_on;

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
    let setting = "os.environ['CUDA_VISIBLE_DEVICES'] = ''\nimport torch\ntry: torch.ones(2).cuda()\nexcept RuntimeError as error: print(str(error)[:14])";
    assert_eq!(cards(setting), "Found no NVIDI\nFalse 0\n");
}
