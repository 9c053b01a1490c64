//! Where CUPTI's library may be: beside the CUDA that is loaded, as toolkits and PyTorch's wheels lay it out. Pure.

use std::path::{Path, PathBuf};

/// From the folder of a CUDA library: its own, that of a toolkit, that of one for several systems, and those of wheels.
const BESIDE: [&str; 4] = [
    "",
    "../extras/CUPTI/lib64",
    "../../../extras/CUPTI/lib64",
    "../../cuda_cupti/lib",
];

/// From the folder of a toolkit.
const IN_TOOLKIT: [&str; 2] = ["extras/CUPTI/lib64", "lib64"];

/// The names of the library for a CUDA of this major version.
pub(super) fn name(major: u32) -> String {
    format!("libcupti.so.{major}")
}

/// Paths to try, the best first. `maps` is what the process has mapped (`/proc/self/maps`), `toolkits` what the environment
/// names. The last one leaves the search to the loader.
pub(super) fn candidates(major: u32, maps: &str, toolkits: &[PathBuf]) -> Vec<PathBuf> {
    let name = name(major);
    let loaded = maps
        .lines()
        .filter_map(|it| Some(Path::new(it.split_at(it.find('/')?).1)));
    let of_cuda = loaded.filter(|it| {
        let file = it
            .file_name()
            .and_then(|it| it.to_str())
            .unwrap_or_default();
        file.starts_with("libcublas") || file.starts_with("libcurand")
    });
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in of_cuda.filter_map(Path::parent) {
        folders.extend(BESIDE.iter().map(|it| folder.join(it)));
    }
    let system = PathBuf::from(format!("/usr/local/cuda-{major}"));
    let usual = [system, PathBuf::from("/usr/local/cuda")];
    for toolkit in toolkits.iter().chain(&usual) {
        folders.extend(IN_TOOLKIT.iter().map(|it| toolkit.join(it)));
    }
    let mut paths: Vec<PathBuf> = Vec::new();
    for path in folders.into_iter().map(|it| it.join(&name)) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths.push(PathBuf::from(name));
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(major: u32, maps: &str, toolkits: &[&str]) -> String {
        let toolkits: Vec<PathBuf> = toolkits.iter().map(PathBuf::from).collect();
        let found = candidates(major, maps, &toolkits);
        let lines: Vec<String> = found.iter().map(|it| it.display().to_string()).collect();
        lines.join("\n")
    }

    #[test]
    fn it_is_beside_the_libraries_of_a_toolkit_or_of_wheels() {
        let maps = "\
            7f10-7f20 r-xp 00000000 08:01 99 /v/nvidia/cublas/lib/libcublas.so.12\n\
            7f20-7f30 r--p 00000000 08:01 98 /v/nvidia/cublas/lib/libcublasLt.so.12\n\
            7f30-7f40 rw-p 00000000 00:00 0 [heap]\n";
        insta::assert_snapshot!(shown(12, maps, &["/opt/cuda"]), @"
        /v/nvidia/cublas/lib/libcupti.so.12
        /v/nvidia/cublas/lib/../extras/CUPTI/lib64/libcupti.so.12
        /v/nvidia/cublas/lib/../../../extras/CUPTI/lib64/libcupti.so.12
        /v/nvidia/cublas/lib/../../cuda_cupti/lib/libcupti.so.12
        /opt/cuda/extras/CUPTI/lib64/libcupti.so.12
        /opt/cuda/lib64/libcupti.so.12
        /usr/local/cuda-12/extras/CUPTI/lib64/libcupti.so.12
        /usr/local/cuda-12/lib64/libcupti.so.12
        /usr/local/cuda/extras/CUPTI/lib64/libcupti.so.12
        /usr/local/cuda/lib64/libcupti.so.12
        libcupti.so.12
        ");
    }
}
