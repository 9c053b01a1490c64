//! Compiles the kernels with nvcc and packs them into fat binaries.
//!
//! `CUDA_COMPUTE_CAP`: the capabilities, such as `80` or `75,80,90`. `NVCC`: the compiler; else `nvcc` in
//! `CUDA_HOME/bin` or on `PATH`, with `fatbinary` beside it. `NVCC_CCBIN`: nvcc reads it itself.
//! `WARPUP_KERNELS_CACHE`: the folder for compiled kernels, to share them between builds; else `OUT_DIR`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

/// candle's kernels, in `src`, and those of warpup, in `warpup`.
const SOURCES: [(&str, &[&str]); 2] = [
    (
        "src",
        &[
            "affine", "binary", "cast", "conv", "fill", "indexing", "reduce", "sort", "ternary",
            "unary",
        ],
    ),
    (
        "warpup",
        &[
            "at_index",
            "attention",
            "attention_backward",
            "channels",
            "choices",
            "creation",
            "elementwise",
            "many_tensors",
            "optimizers",
            "permutation",
            "pool",
            "positions",
            "random",
            "ranking",
            "reduction",
            "resample",
            "rows",
            "scan",
            "strided_copy",
        ],
    ),
];

/// Upstream's options.
const OPTIONS: [&str; 3] = ["--expt-relaxed-constexpr", "-std=c++17", "-O3"];

/// One source, compiled for one capability.
struct Part {
    folder: &'static str,
    source: &'static str,
    /// `cubin`, which is machine code for this capability, or `ptx`, which the driver compiles for newer ones.
    kind: &'static str,
    capability: u32,
}

impl Part {
    fn file(&self, folder: &Path) -> PathBuf {
        folder.join(format!(
            "{}.sm_{}.{}",
            self.source, self.capability, self.kind
        ))
    }
}

fn main() {
    for changed in ["build.rs", "src", "warpup"] {
        println!("cargo::rerun-if-changed={changed}");
    }
    for variable in [
        "CUDA_COMPUTE_CAP",
        "NVCC",
        "CUDA_HOME",
        "NVCC_CCBIN",
        "WARPUP_KERNELS_CACHE",
    ] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let nvcc = nvcc();
    let capabilities = capabilities();
    let compiled = compiled_in(&out, &nvcc);
    let newest = *capabilities.last().expect("at least one capability");
    let sources = SOURCES
        .iter()
        .flat_map(|(folder, sources)| sources.iter().map(move |source| (*folder, *source)));
    let parts: Vec<Part> = sources
        .clone()
        .flat_map(|(folder, source)| {
            let part = move |kind, capability| Part {
                folder,
                source,
                kind,
                capability,
            };
            let cubins = capabilities.iter().map(move |&it| part("cubin", it));
            cubins.chain([part("ptx", newest)])
        })
        .collect();
    compile(&nvcc, &parts, &compiled);
    let fatbinary = nvcc.with_file_name("fatbinary");
    for (_, source) in sources {
        let parts: Vec<&Part> = parts.iter().filter(|it| it.source == source).collect();
        pack(&fatbinary, source, &parts, &compiled, &out);
    }
    fs::write(out.join("absent.rs"), absent()).expect("OUT_DIR can be written");
}

/// `CUDA_COMPUTE_CAP`, oldest first; 8.0 if it is not set.
fn capabilities() -> Vec<u32> {
    let text = env::var("CUDA_COMPUTE_CAP").unwrap_or_else(|_| "80".to_owned());
    let numbers = text.split([',', ' ', ';']).filter(|it| !it.is_empty());
    let mut numbers: Vec<u32> = numbers
        .map(|it| {
            let number = it.replace('.', "").parse();
            number.unwrap_or_else(|_| {
                panic!("CUDA_COMPUTE_CAP is a list of numbers such as 75,80, not {text}")
            })
        })
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert!(!numbers.is_empty(), "CUDA_COMPUTE_CAP is empty");
    numbers
}

fn nvcc() -> PathBuf {
    if let Some(nvcc) = env::var_os("NVCC") {
        return nvcc.into();
    }
    let homes = ["CUDA_HOME", "CUDA_PATH"]
        .into_iter()
        .filter_map(env::var_os);
    let folders = homes.map(|it| PathBuf::from(it).join("bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    let mut candidates = folders
        .chain(env::split_paths(&path))
        .map(|it| it.join("nvcc"));
    candidates
        .find(|it| it.is_file())
        .expect("no nvcc: set CUDA_HOME to the folder of a CUDA toolkit")
}

/// The folder for what this nvcc makes of these sources. Its name has a hash of both, so that a kernel of another
/// version is never taken.
fn compiled_in(out: &Path, nvcc: &Path) -> PathBuf {
    let version = Command::new(nvcc).arg("--version").output();
    let version =
        version.unwrap_or_else(|error| panic!("cannot start {}: {error}", nvcc.display()));
    let mut hash = fnv(0xcbf2_9ce4_8422_2325, &version.stdout);
    for option in OPTIONS {
        hash = fnv(hash, option.as_bytes());
    }
    let mut files: Vec<PathBuf> = SOURCES
        .iter()
        .flat_map(|(folder, _)| fs::read_dir(folder).expect(folder))
        .map(|it| it.expect("the folder of sources").path())
        .collect();
    files.sort();
    for file in files
        .iter()
        .filter(|it| it.extension().is_some_and(|it| it == "cu" || it == "cuh"))
    {
        hash = fnv(hash, &fs::read(file).expect("a source"));
    }
    let folder = env::var_os("WARPUP_KERNELS_CACHE").map_or_else(|| out.to_owned(), PathBuf::from);
    let folder = folder.join(format!("kernels-{hash:016x}"));
    fs::create_dir_all(&folder).expect("the folder for kernels can be made");
    folder
}

/// FNV-1a, which tells versions apart; nothing here is secret.
fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Compiles what is not there yet, as many at a time as cargo runs jobs.
fn compile(nvcc: &Path, parts: &[Part], folder: &Path) {
    let missing: Vec<&Part> = parts
        .iter()
        .filter(|it| !it.file(folder).is_file())
        .collect();
    let threads = env::var("NUM_JOBS")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(1);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(part) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    compile_one(nvcc, part, folder);
                }
            });
        }
    });
}

fn compile_one(nvcc: &Path, part: &Part, folder: &Path) {
    let file = part.file(folder);
    // A file gets its name when it is complete, so that an interrupted build leaves none that is not.
    let unfinished = file.with_extension(format!("{}.part", part.kind));
    let arch = match part.kind {
        "ptx" => format!("-arch=compute_{}", part.capability),
        _ => format!("-arch=sm_{}", part.capability),
    };
    let mut command = Command::new(nvcc);
    command
        .args(OPTIONS)
        .arg(format!("--{}", part.kind))
        .arg(arch)
        .arg("-o")
        .arg(&unfinished);
    command.arg(format!("{}/{}.cu", part.folder, part.source));
    run(&mut command);
    fs::rename(&unfinished, &file).expect("the folder for kernels can be written");
}

fn pack(fatbinary: &Path, source: &str, parts: &[&Part], compiled: &Path, out: &Path) {
    let mut command = Command::new(fatbinary);
    command.arg("-64").arg("--compress-all");
    for part in parts {
        let kind = if part.kind == "ptx" { "ptx" } else { "elf" };
        let file = part.file(compiled);
        command.arg(format!(
            "--image3=kind={kind},sm={},file={}",
            part.capability,
            file.display()
        ));
    }
    command.arg(format!(
        "--create={}",
        out.join(format!("{source}.fatbin")).display()
    ));
    run(&mut command);
}

fn run(command: &mut Command) {
    let output = command.output();
    let output = output.unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?} ended with {}: {said}",
        output.status
    );
}

/// A function for each name in `src/ffi.rs`. candle-core refers to them, and the linker wants every name.
fn absent() -> String {
    let declarations = fs::read_to_string("src/ffi.rs").expect("src/ffi.rs");
    let names = declarations
        .lines()
        .filter_map(|it| it.trim().strip_prefix("pub fn ")?.strip_suffix('('));
    let functions = names.map(|name| {
        format!(
            "#[no_mangle]\nextern \"C\" fn {name}() -> ! {{\n    super::absent(\"{name}\")\n}}\n"
        )
    });
    functions.collect()
}
