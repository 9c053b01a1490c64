//! Lists the functions of the library that are registered where they stand, by `@torch_function`, and compiles the
//! library again when one of its files changes: rustc does not know which ones a macro reads.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::Path;

/// The names that a module gives to torch.
#[derive(Default)]
struct Names {
    functions: Vec<String>,
    methods: Vec<String>,
}

fn main() -> io::Result<()> {
    for path in ["lib", "build.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let mut modules = BTreeMap::new();
    for entry in fs::read_dir("lib/warpup")? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "py") {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let module = format!("warpup.{stem}");
            register(&module, &fs::read_to_string(&path)?, &mut modules)?;
        }
    }
    let rows = modules.iter().map(|(module, it)| {
        let (functions, methods) = (it.functions.join(" "), it.methods.join(" "));
        format!("    ({module:?}, {functions:?}, {methods:?}),\n")
    });
    let rows = rows.collect::<Vec<_>>().concat();
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(
        Path::new(&out).join("registered.rs"),
        format!("&[\n{rows}]\n"),
    )
}

/// Adds the functions of a file that have the decorator.
fn register(module: &str, code: &str, modules: &mut BTreeMap<String, Names>) -> io::Result<()> {
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let Some(options) = line.strip_prefix("@torch_function") else {
            continue;
        };
        let function = lines.next().and_then(|it| it.strip_prefix("def "));
        let Some((name, _)) = function.and_then(|it| it.split_once('(')) else {
            let message = format!("{module}: no function is below `{line}`");
            return Err(io::Error::other(message));
        };
        let also = options
            .split_once("also=\"")
            .and_then(|(_, it)| it.split_once('"'));
        let also = also.map_or("", |(names, _)| names).split_whitespace();
        for name in [name].into_iter().chain(also) {
            let names = modules.entry(module.to_owned()).or_default();
            if !options.contains("function=False") {
                names.functions.push(name.to_owned());
            }
            if !options.contains("method=False") {
                names.methods.push(name.to_owned());
            }
            if options.contains("in_place=True") {
                let names = modules.entry("warpup._in_place".to_owned()).or_default();
                names.methods.push(format!("{name}_"));
            }
        }
    }
    Ok(())
}
