//! What `scripts/build-cuda-worker` decides on a machine: which toolkit, which capability, and what it prints where
//! nothing fits. Each test makes a folder with an `nvidia-smi` and toolkits that print a version, uses it as PATH,
//! and compares the plan (`--dry-run`).

use crate::support::source;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A machine without anything of NVIDIA's until a method adds it.
struct Machine(TempDir);

impl Machine {
    fn new() -> Self {
        let machine = Self(TempDir::new().unwrap());
        fs::create_dir(machine.path("bin")).unwrap();
        for tool in ["bash", "uname", "sort", "head", "readlink"] {
            let found = std::env::var("PATH").unwrap();
            let found = found.split(':').map(|dir| Path::new(dir).join(tool));
            let found = found.into_iter().find(|path| path.exists()).unwrap();
            std::os::unix::fs::symlink(found, machine.path("bin").join(tool)).unwrap();
        }
        machine
    }

    fn path(&self, inside: &str) -> PathBuf {
        self.0.path().join(inside)
    }

    /// Adds a shell script as a program.
    fn program(&self, inside: &str, text: &str) {
        let path = self.path(inside);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    }

    /// Adds a driver, and cards with these capabilities.
    fn driver(self, cuda: &str, cards: &[&str]) -> Self {
        let header = format!("| NVIDIA-SMI 1.2  Driver Version: 1.2  CUDA Version: {cuda}  |");
        let cards = cards.join("\\n");
        self.program(
            "bin/nvidia-smi",
            &format!("case $1 in --query*) printf '{cards}\\n' ;; *) echo '{header}' ;; esac"),
        );
        self
    }

    /// Adds a toolkit: nvcc of this version and the libraries beside it.
    fn toolkit(self, cuda: &str) -> Self {
        let said = format!("Cuda compilation tools, release {cuda}, V{cuda}.88");
        self.program(&format!("cuda-{cuda}/bin/nvcc"), &format!("echo '{said}'"));
        for library in ["cublas", "curand"] {
            self.program(&format!("cuda-{cuda}/lib64/lib{library}.so.1"), "");
        }
        self
    }

    fn plan(&self, words: &[&str]) -> Output {
        Command::new("bash")
            .arg(source::root().join("scripts/build-cuda-worker"))
            .arg("--dry-run")
            .args(words)
            .env_clear()
            .env("PATH", self.path("bin"))
            .env("HOME", self.path("user"))
            .env("WARPUP_TOOLKITS", self.path("cuda-*"))
            .output()
            .unwrap()
    }

    /// The output of the plan without the paths of this machine, and the exit status where it is not 0.
    fn plan_text(&self, words: &[&str]) -> String {
        let plan = self.plan(words);
        let text = [plan.stdout, plan.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        let text = text.replace(self.0.path().to_str().unwrap(), "");
        let text = text.replace(source::root().to_str().unwrap(), "CHECKOUT");
        match plan.status.code() {
            Some(0) => text,
            status => format!("{text}exit status {status:?}\n"),
        }
    }
}

#[test]
fn a_machine_with_nothing_fetches_a_toolkit_and_builds_for_most_cards() {
    insta::assert_snapshot!(Machine::new().plan_text(&[]), @r"
    driver      none on this machine; --driver-cuda names that of another machine
    toolkit     CUDA 13.0 in /user/.cache/warpup/cuda-13.0 (to be downloaded from PyPI, 8 wheels, about 0.7 GB)
    capability  7.5, 8.0, 9.0, 10.0, 12.0: every card since the T4 runs it
    build in    /user/.cache/warpup/build-cuda-13.0
    install to  CHECKOUT/target/release/warpup-worker-cuda
    ");
}

#[test]
fn the_newest_toolkit_that_the_driver_takes_is_used_and_others_are_listed() {
    let machine = Machine::new().driver("12.8", &["8.9"]);
    let machine = machine.toolkit("11.8").toolkit("12.4").toolkit("12.6");
    insta::assert_snapshot!(machine.toolkit("13.0").plan_text(&[]), @r"
    driver      supports CUDA up to 12.8 (from nvidia-smi)
    not used    /cuda-11.8 is CUDA 11.8, and candle's kernels need 12.0 or newer
    not used    /cuda-13.0 is CUDA 13.0, and a driver of CUDA 12.8 refuses its kernels
    toolkit     CUDA 12.6 in /cuda-12.6
    capability  7.5, 8.0, 9.0: every card since the T4 runs it
    build in    /user/.cache/warpup/build-cuda-12.6
    install to  CHECKOUT/target/release/warpup-worker-cuda
    ");
}

#[test]
fn a_toolkit_newer_than_the_driver_gives_way_to_a_fetched_one() {
    let machine = Machine::new().driver("13.0", &["9.0"]).toolkit("13.2");
    insta::assert_snapshot!(machine.plan_text(&[]), @r"
    driver      supports CUDA up to 13.0 (from nvidia-smi)
    not used    /cuda-13.2 is CUDA 13.2, and a driver of CUDA 13.0 refuses its kernels
    toolkit     CUDA 13.0 in /user/.cache/warpup/cuda-13.0 (to be downloaded from PyPI, 8 wheels, about 0.7 GB)
    capability  7.5, 8.0, 9.0, 10.0, 12.0: every card since the T4 runs it
    build in    /user/.cache/warpup/build-cuda-13.0
    install to  CHECKOUT/target/release/warpup-worker-cuda
    ");
}

#[test]
fn an_old_driver_without_a_toolkit_that_fits_gets_instructions() {
    let machine = Machine::new().driver("12.4", &["8.0"]).toolkit("12.6");
    insta::assert_snapshot!(machine.plan_text(&[]), @r"
    driver      supports CUDA up to 12.4 (from nvidia-smi)
    not used    /cuda-12.6 is CUDA 12.6, and a driver of CUDA 12.4 refuses its kernels
    build-cuda-worker: no toolkit here fits, and a driver of CUDA 12.4 refuses the kernels of the one to download, CUDA 13.0
      A driver of 580 or newer accepts them. Or build with a toolkit of CUDA 12.4 or older.
      Name a toolkit with --cuda DIR. Ways to get one without root:
        a cluster's own:     module avail cuda
        conda or micromamba: create -p DIR -c conda-forge cuda-nvcc cuda-cudart-dev libcublas-dev libcurand-dev cuda-version=12.4
        NVIDIA's runfile:    sh cuda_*.run --silent --toolkit --toolkitpath=DIR
    exit status Some(1)
    ");
}

#[test]
fn a_card_older_than_what_is_asked_for_is_named() {
    let machine = Machine::new().driver("13.0", &["8.9", "7.5"]);
    insta::assert_snapshot!(machine.plan_text(&[]), @r"
    driver      supports CUDA up to 13.0 (from nvidia-smi)
    toolkit     CUDA 13.0 in /user/.cache/warpup/cuda-13.0 (to be downloaded from PyPI, 8 wheels, about 0.7 GB)
    capability  7.5, 8.0, 9.0, 10.0, 12.0: every card since the T4 runs it
    build in    /user/.cache/warpup/build-cuda-13.0
    install to  CHECKOUT/target/release/warpup-worker-cuda
    ");
    let asked = machine.plan_text(&["--cap", "80"]);
    assert!(asked.contains("the card here has capability 7.5 and cannot run it"));
}

#[test]
fn cards_before_turing_need_a_toolkit_before_13() {
    let machine = Machine::new().driver("13.0", &["7.0"]).toolkit("13.0");
    let with_an_old_one = Machine::new().driver("13.0", &["7.0"]).toolkit("12.9");
    insta::assert_snapshot!(machine.plan_text(&[]), @r"
    driver      supports CUDA up to 13.0 (from nvidia-smi)
    not used    /cuda-13.0 is CUDA 13.0, which does not support capability 7.0
    build-cuda-worker: no toolkit here fits, and the one to download, CUDA 13.0, does not support capability 7.0
      Name a toolkit with --cuda DIR. Ways to get one without root:
        a cluster's own:     module avail cuda
        conda or micromamba: create -p DIR -c conda-forge cuda-nvcc cuda-cudart-dev libcublas-dev libcurand-dev cuda-version=12.9
        NVIDIA's runfile:    sh cuda_*.run --silent --toolkit --toolkitpath=DIR
    exit status Some(1)
    ");
    insta::assert_snapshot!(with_an_old_one.plan_text(&["--to", "here"]), @r"
    driver      supports CUDA up to 13.0 (from nvidia-smi)
    toolkit     CUDA 12.9 in /cuda-12.9
    capability  7.0, 7.5, 8.0, 9.0, 10.0, 12.0: every card since the oldest one here runs it
    build in    /user/.cache/warpup/build-cuda-12.9
    install to  CHECKOUT/here/warpup-worker-cuda
    ");
}

#[test]
fn the_plan_follows_the_arguments() {
    let machine = Machine::new().toolkit("12.4").toolkit("13.0");
    let folder = machine.path("cuda-12.4");
    let folder = folder.to_str().unwrap();
    insta::assert_snapshot!(machine.plan_text(&["--driver-cuda", "12.9", "--cap", "9.0"]), @r"
    driver      supports CUDA up to 12.9 (from --driver-cuda)
    not used    /cuda-13.0 is CUDA 13.0, and a driver of CUDA 12.9 refuses its kernels
    toolkit     CUDA 12.4 in /cuda-12.4
    capability  9.0: from --cap
    build in    /user/.cache/warpup/build-cuda-12.4
    install to  CHECKOUT/target/release/warpup-worker-cuda
    ");
    insta::assert_snapshot!(machine.plan_text(&["--cuda", folder, "--driver-cuda", "12.2"]), @r"
    driver      supports CUDA up to 12.2 (from --driver-cuda)
    build-cuda-worker: the toolkit in /cuda-12.4 is CUDA 12.4, and a driver of CUDA 12.2 refuses its kernels
    exit status Some(1)
    ");
    insta::assert_snapshot!(machine.plan_text(&["--fetch", "--to", "/opt/warpup"]), @r"
    driver      none on this machine; --driver-cuda names that of another machine
    toolkit     CUDA 13.0 in /user/.cache/warpup/cuda-13.0 (to be downloaded from PyPI, 8 wheels, about 0.7 GB)
    capability  7.5, 8.0, 9.0, 10.0, 12.0: every card since the T4 runs it
    build in    /user/.cache/warpup/build-cuda-13.0
    install to  /opt/warpup/warpup-worker-cuda
    ");
}

#[test]
fn wrong_arguments_are_named() {
    let machine = Machine::new();
    let several = machine.plan_text(&["--cap", "8.0,75,80"]);
    assert!(
        several.contains("capability  7.5, 8.0: from --cap\n"),
        "{several}"
    );
    insta::assert_snapshot!(machine.plan_text(&["--cap", "75"]), @r"
    driver      none on this machine; --driver-cuda names that of another machine
    toolkit     CUDA 13.0 in /user/.cache/warpup/cuda-13.0 (to be downloaded from PyPI, 8 wheels, about 0.7 GB)
    capability  7.5: from --cap
                no bfloat16 below 8.0
    build in    /user/.cache/warpup/build-cuda-13.0
    install to  CHECKOUT/target/release/warpup-worker-cuda
    ");
    insta::assert_snapshot!(machine.plan_text(&["--cap", "new"]), @r"
    build-cuda-worker: a compute capability is a number such as 75 or 8.0, not new (see --help)
    exit status Some(2)
    ");
    insta::assert_snapshot!(machine.plan_text(&["--card"]), @r"
    build-cuda-worker: unknown argument --card (see --help)
    exit status Some(2)
    ");
    insta::assert_snapshot!(machine.plan_text(&["--to"]), @r"
    build-cuda-worker: --to needs a value (see --help)
    exit status Some(2)
    ");
}

#[test]
fn newer_drivers_print_their_version_under_another_name() {
    let machine = Machine::new();
    machine.program("bin/nvidia-smi", "echo '| CUDA UMD Version: 13.2 |'");
    assert!(machine.plan_text(&[]).contains("CUDA up to 13.2"));
}
