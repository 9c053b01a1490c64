//! Finds toolkits, and the headers of cuDNN and NCCL.

use super::machine::Machine;
use super::process::{ProgramResult, run};
use crate::evidence::{Header, Nvcc, Toolkit, Toolkits};

/// Where toolkits are installed.
const LOCAL: &str = "/usr/local";

pub(super) fn find(machine: &Machine) -> Toolkits {
    let mut folders: Vec<String> = machine
        .names(LOCAL)
        .into_iter()
        .filter(|it| it.starts_with("cuda-"))
        .map(|it| format!("{LOCAL}/{it}"))
        // `cuda-13` is a link to `cuda-13.0`.
        .filter(|it| machine.link(it).is_none())
        .collect();
    let cuda = format!("{LOCAL}/cuda");
    let end = machine.end_of_links(&cuda);
    let default = (end != cuda).then_some(end);
    if default.is_none() && machine.is_there(&cuda) {
        folders.insert(0, cuda.clone());
    }
    let installed = folders
        .into_iter()
        .map(|path| Toolkit {
            version: version(machine, &path),
            path,
        })
        .collect();
    let places = [
        "/usr/include",
        "/usr/include/x86_64-linux-gnu",
        "/usr/include/aarch64-linux-gnu",
    ];
    let places: Vec<String> = places
        .into_iter()
        .map(str::to_owned)
        .chain([format!("{cuda}/include")])
        .collect();
    let cudnn = ["CUDNN_MAJOR", "CUDNN_MINOR", "CUDNN_PATCHLEVEL"];
    let nccl = ["NCCL_MAJOR", "NCCL_MINOR", "NCCL_PATCH"];
    Toolkits {
        installed,
        default,
        nvcc: nvcc(machine),
        cudnn_header: header(machine, &places, "cudnn_version.h", cudnn),
        nccl_header: header(machine, &places, "nccl.h", nccl),
    }
}

/// The version in the files of a toolkit.
fn version(machine: &Machine, folder: &str) -> Option<String> {
    let json = machine.text(&format!("{folder}/version.json"));
    let json: Option<serde_json::Value> = json.and_then(|it| serde_json::from_str(&it).ok());
    if let Some(version) = json.as_ref().and_then(|it| it["cuda"]["version"].as_str()) {
        return Some(version.to_owned());
    }
    let text = machine.line(&format!("{folder}/version.txt"));
    let written = text.and_then(|it| it.strip_prefix("CUDA Version ").map(str::to_owned));
    // Images of containers leave these files out.
    written
        .or_else(|| version_in_header(&machine.text(&format!("{folder}/include/cuda.h"))?))
        .or_else(|| version_of_runtime(&machine.names(&format!("{folder}/lib64"))))
        .or_else(|| release_of(machine, &format!("{folder}/bin/nvcc")))
}

/// The version in `cuda.h`, which defines 13.1 as 13010.
fn version_in_header(text: &str) -> Option<String> {
    let number = defined(text, "CUDA_VERSION")?;
    Some(format!("{}.{}", number / 1000, number % 1000 / 10))
}

/// The version in the full name of the runtime library, such as `libcudart.so.13.0.88`.
fn version_of_runtime(names: &[String]) -> Option<String> {
    names.iter().find_map(|name| {
        let (major, rest) = name.strip_prefix("libcudart.so.")?.split_once('.')?;
        let minor = rest.split('.').next()?;
        Some(format!("{major}.{minor}"))
    })
}

/// The first `nvcc` on `PATH`, and its release.
fn nvcc(machine: &Machine) -> Option<Nvcc> {
    let path = machine.on_path("nvcc")?;
    let version = release_of(machine, &path);
    Some(Nvcc { path, version })
}

/// The release that a compiler prints; `None` if there is no such program.
fn release_of(machine: &Machine, nvcc: &str) -> Option<String> {
    let ran = run(
        &machine.real(nvcc),
        &["--version"],
        &machine.environment,
        machine.limits.tool,
    );
    match ran {
        ProgramResult::Ended { output, .. } => release(&output),
        ProgramResult::Hung { .. } | ProgramResult::NotStarted { .. } => None,
    }
}

/// The release in the output of `nvcc --version`: `Cuda compilation tools, release 13.0, V13.0.88`.
fn release(output: &str) -> Option<String> {
    let after = output.split_once("release ")?.1;
    let version = after.split([',', '\n']).next()?.trim();
    (!version.is_empty()).then(|| version.to_owned())
}

/// The first header with this name that defines the three numbers of a version.
fn header(machine: &Machine, folders: &[String], name: &str, numbers: [&str; 3]) -> Option<Header> {
    folders.iter().find_map(|folder| {
        let path = format!("{folder}/{name}");
        let text = machine.text(&path)?;
        let [major, minor, level] = numbers.map(|it| defined(&text, it));
        let version = format!("{}.{}.{}", major?, minor?, level?);
        Some(Header { path, version })
    })
}

/// The number that a header defines by this name.
fn defined(text: &str, name: &str) -> Option<u32> {
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let is_it = words.next() == Some("#define") && words.next() == Some(name);
        is_it.then(|| words.next()?.parse().ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File, Permissions};
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;
    use warpup_protocol::Reason;

    #[test]
    fn the_release_is_read_from_the_output_of_the_compiler() {
        let said = "nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release 12.4, V12.4.131\n";
        assert_eq!(release(said).as_deref(), Some("12.4"));
        assert_eq!(release("command not found"), None);
    }

    #[test]
    fn a_headers_version_is_read_from_its_definitions() {
        let text = "#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 13\n";
        assert_eq!(defined(text, "CUDNN_MINOR"), Some(13));
        assert_eq!(defined(text, "CUDNN"), None);
    }

    /// The version of a toolkit that has these files.
    fn version_with(files: &[(&str, &str)]) -> Option<String> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join("usr/local/cuda-13.0").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            File::create(&path)
                .unwrap()
                .write_all(text.as_bytes())
                .unwrap();
            fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        }
        let machine = Machine {
            root: root.path().to_owned(),
            ..Machine::this(&Err(Reason {
                why: String::new(),
                hint: String::new(),
                evidence: String::new(),
            }))
            .unwrap()
        };
        let installed = find(&machine).installed;
        installed.into_iter().find_map(|it| it.version)
    }

    #[test]
    fn a_toolkit_without_a_file_for_its_version_tells_it_elsewhere() {
        let header = ("include/cuda.h", "#define CUDA_VERSION 13010\n");
        let runtime = ("lib64/libcudart.so.13.2.75", "");
        let nvcc = (
            "bin/nvcc",
            "#!/bin/sh\necho 'Cuda compilation tools, release 13.3, V13.3.33'\n",
        );
        let is = |files: &[_], version: Option<&str>| {
            assert_eq!(version_with(files).as_deref(), version, "{files:?}");
        };
        is(&[header, runtime, nvcc], Some("13.1"));
        is(
            &[("lib64/libcudart.so.13", ""), runtime, nvcc],
            Some("13.2"),
        );
        is(&[("lib64/libcudart.so.13", ""), nvcc], Some("13.3"));
        is(&[("lib64/libcudart.so.13", "")], None);
        let written = ("version.json", r#"{ "cuda": { "version": "13.0.1" } }"#);
        is(&[written, header], Some("13.0.1"));
    }
}
