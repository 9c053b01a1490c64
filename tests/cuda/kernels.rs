//! Our own kernels give what the CPU gives: the programs of `tests/fixtures/kernels` compare both, over types, shapes,
//! strides and special numbers.

use crate::card_runs::run;
use crate::support::programs::printed;
use std::fs;
use std::path::Path;

#[test]
fn kernels_of_our_own_give_what_the_cpu_gives() {
    let folder = Path::new("tests/fixtures/kernels");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    files.sort();
    let mut wrong = String::new();
    for file in &files {
        let said = printed(&run(&fs::read_to_string(file).unwrap()));
        if !said.trim_end().ends_with("\ndifferent: 0") && said.trim_end() != "different: 0" {
            wrong += &format!("{}:\n{said}\n", file.display());
        }
    }
    assert!(!files.is_empty());
    assert!(wrong.is_empty(), "{wrong}");
}
