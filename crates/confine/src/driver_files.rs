//! The files that the driver of a card and its libraries need.
//!
//! The device nodes and the places in `/run` are those that NVIDIA's container toolkit gives a container, in which labs of
//! CUDA run without any other.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// How the names of nodes in `/dev` begin: cards of servers, of NVIDIA's boards and of Windows, and networks between cards.
const CARDS: [&str; 10] = [
    "nvidia",
    "nvhost",
    "nvmap",
    "nvgpu",
    "nvsci",
    "host1x",
    "dri",
    "dxg",
    "infiniband",
    "gdrdrv",
];

/// Nodes that each process may use: none of them is a terminal or a disk.
const NODES: [&str; 6] = ["null", "zero", "full", "random", "urandom", "shm"];

/// Where it only reads: libraries, and what the system says of the card. No system keeps somebody's own files there.
const OF_THE_SYSTEM: [&str; 8] = [
    "/sys",
    "/usr",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/nvidia",
    "/nix/store",
    "/gnu/store",
];

/// Variables that name folders of libraries, as lists.
const LIBRARIES: [&str; 3] = ["LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH"];

/// Variables that name folders that it writes to.
const CACHES: [&str; 4] = [
    "CUDA_CACHE_PATH",
    "TMPDIR",
    "CUDA_MPS_PIPE_DIRECTORY",
    "CUDA_MPS_LOG_DIRECTORY",
];

/// Where the service that shares a card between processes (MPS) has its sockets, unless a variable names another place.
const SERVICE: &str = "/tmp/nvidia-mps";

/// What it reads.
pub(super) fn read() -> Vec<PathBuf> {
    let home = home();
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let named = LIBRARIES.iter().filter_map(env::var_os);
    let named = named.flat_map(|it| env::split_paths(&it).collect::<Vec<_>>());
    let libraries = loaded_from(&maps).into_iter().chain(named);
    let mut paths: Vec<PathBuf> = libraries
        .filter(|it| !holds(it, home.as_deref()))
        .chain(OF_THE_SYSTEM.iter().map(PathBuf::from))
        .collect();
    // What `/proc` says of other processes, their command lines among it, is none of a lab's business.
    paths.extend(entries("/proc", |name| {
        !name.bytes().all(|it| it.is_ascii_digit())
    }));
    paths
}

/// What it reads and writes.
pub(super) fn written() -> Vec<PathBuf> {
    let mut paths = entries("/dev", |name| {
        NODES.contains(&name) || CARDS.iter().any(|it| name.starts_with(it))
    });
    paths.extend(entries("/run", |name| name.starts_with("nvidia")));
    // A thread names another one by a file.
    paths.extend(["/tmp", "/proc/self"].map(PathBuf::from));
    paths.extend(home().map(|it| it.join(".nv")));
    paths.extend(CACHES.iter().filter_map(env::var_os).map(PathBuf::from));
    paths
}

/// The home folder, if the environment names one.
pub(super) fn home() -> Option<PathBuf> {
    env::var_os("HOME").map(PathBuf::from)
}

/// Whether the driver needs no program of its own that makes its device nodes: such a program has more rights than the user,
/// which a confined process cannot give.
pub(super) fn has_made_its_devices() -> bool {
    let is_loaded = Path::new("/proc/driver/nvidia/version").exists();
    !is_loaded || Path::new("/dev/nvidia-uvm").exists()
}

/// Whether a service shares the card between processes: then the driver talks with it through local sockets.
pub(super) fn uses_its_service() -> bool {
    env::var_os("CUDA_MPS_PIPE_DIRECTORY").is_some() || Path::new(SERVICE).join("control").exists()
}

fn entries(folder: &str, is_meant: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    let meant = all.filter(|it| it.file_name().to_str().is_some_and(&is_meant));
    meant.map(|it| it.path()).collect()
}

/// The folders of the files that this process has mapped: its own executable, and libraries, which load others from
/// beside them when they are first used.
fn loaded_from(maps: &str) -> BTreeSet<PathBuf> {
    // Five fields without a slash stand before the path.
    let paths = maps
        .lines()
        .filter_map(|it| Some(it.split_at(it.find('/')?).1));
    let folders = paths.filter_map(|it| Path::new(it).parent());
    folders.map(Path::to_owned).collect()
}

/// Whether a folder is the home folder, or one around it, or no absolute path: no library makes all of that readable.
pub(super) fn holds(folder: &Path, home: Option<&Path>) -> bool {
    !folder.is_absolute()
        || folder.parent().is_none()
        || home.is_some_and(|it| it.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_read_from_where_they_were_loaded_but_never_all_of_home() {
        let maps = "\
            7f10-7f20 r-xp 00000000 08:01 99 /opt/cuda 13/lib64/libcublas.so.13\n\
            7f20-7f30 r--p 00000000 08:01 98 /opt/cuda 13/lib64/libcublasLt.so.13\n\
            7f30-7f40 r--p 00000000 08:01 97 /people/ada/libodd.so\n\
            7f40-7f50 rw-p 00000000 00:00 0\n\
            7f50-7f60 rw-p 00000000 00:00 0 [heap]\n";
        let found = loaded_from(maps);
        let expected = ["/people/ada", "/opt/cuda 13/lib64"].map(PathBuf::from);
        assert_eq!(found, expected.into());
        let home = Some(Path::new("/people/ada"));
        for (folder, is_held) in [
            ("/people/ada", true),
            ("/people", true),
            ("/", true),
            ("lib", true),
            ("", true),
            ("/people/ada/lib", false),
            ("/people/adam", false),
            ("/opt", false),
        ] {
            assert_eq!(holds(Path::new(folder), home), is_held, "{folder}");
        }
        assert!(holds(Path::new("/"), None));
    }
}
