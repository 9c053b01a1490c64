//! What the packages say about each other and about the crate.

use crate::support::source;
use std::fs;

fn text(path: &str) -> String {
    fs::read_to_string(source::root().join(path)).unwrap()
}

#[test]
fn the_worker_that_pip_installs_has_the_version_of_the_app() {
    let wanted = format!("\"warpup-worker-cuda13=={};", env!("CARGO_PKG_VERSION"));
    assert!(text("pyproject.toml").contains(&wanted), "{wanted}");
}

#[test]
fn our_build_of_the_kernels_takes_the_place_of_upstreams() {
    let lock = text("Cargo.lock");
    let (_, kernels) = lock.split_once("name = \"candle-kernels\"\n").unwrap();
    let (kernels, _) = kernels.split_once("[[package]]").unwrap();
    assert!(
        !kernels.contains("source = "),
        "candle asks for another version than vendor/candle-kernels has:\n{kernels}"
    );
}

#[test]
fn every_module_of_kernels_is_compiled() {
    let library = text("vendor/candle-kernels/src/lib.rs");
    let build = text("vendor/candle-kernels/build.rs");
    let folder = source::root().join("vendor/candle-kernels/src");
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(name) = name.strip_suffix(".cu") {
            let quoted = format!("\"{name}\"");
            assert!(
                library.contains(&quoted) && build.contains(&quoted),
                "{name}.cu"
            );
        }
    }
}
