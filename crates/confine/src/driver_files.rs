//! The files that the driver of a card and its libraries need.
//!
//! The device nodes and the places in `/run` are those that NVIDIA's container toolkit gives a container, in which labs of
//! CUDA run without any other.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// How the names of nodes in `/dev` begin: cards of servers, of NVIDIA's boards and of Windows.
const CARDS: [&str; 8] = [
    "nvidia", "nvhost", "nvmap", "nvgpu", "nvsci", "host1x", "dri", "dxg",
];

/// The folder for temporary files of all users.
const FOR_ALL: &str = "/tmp";

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
const SERVICE: &str = "/tmp/nvidia-mps/control";

/// The program that makes the driver's device nodes when they are first needed.
const MAKES_NODES: &str = "/usr/bin/nvidia-modprobe";

/// What it reads.
pub(super) fn read(homes: &[PathBuf]) -> Vec<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let own = env::current_exe().unwrap_or_default();
    let named = LIBRARIES.iter().filter_map(env::var_os);
    let named = named.flat_map(|it| env::split_paths(&it).collect::<Vec<_>>());
    let libraries = loaded_from(&maps, &own).into_iter().chain(named);
    let mut paths: Vec<PathBuf> = libraries
        .filter(|it| may_be_allowed(it, homes))
        .chain(OF_THE_SYSTEM.iter().map(PathBuf::from))
        .collect();
    // Without the folders of other processes, which show their command lines.
    paths.extend(entries("/proc", |name| {
        !name.bytes().all(|it| it.is_ascii_digit())
    }));
    paths
}

/// What it reads and writes.
pub(super) fn written(homes: &[PathBuf]) -> Vec<PathBuf> {
    let mut paths = entries("/dev", |name| {
        NODES.contains(&name) || CARDS.iter().any(|it| name.starts_with(it))
    });
    paths.extend(entries("/run", |name| name.starts_with("nvidia")));
    // A thread names another one by a file.
    paths.extend([FOR_ALL, "/proc/self/task"].map(PathBuf::from));
    paths.extend(homes.iter().map(|it| it.join(".nv")));
    let caches = CACHES.iter().filter_map(env::var_os).map(PathBuf::from);
    paths.extend(caches.filter(|it| may_be_allowed(it, homes)));
    paths
}

/// The home folders of the user, by the environment and by the system, as they are named and without links.
pub(super) fn homes() -> Vec<PathBuf> {
    let by_system = nix::unistd::User::from_uid(nix::unistd::geteuid());
    let by_system = by_system.ok().flatten().map(|it| it.dir);
    let named = env::var_os("HOME").map(PathBuf::from).into_iter();
    let named = named.chain(by_system).filter(|it| it.is_absolute());
    named
        .flat_map(|it| fs::canonicalize(&it).into_iter().chain([it]))
        .collect()
}

/// Whether the driver needs no program of its own that makes its device nodes: such a program has more rights than the user,
/// which a confined process cannot give.
pub(super) fn has_made_its_devices() -> bool {
    let exists = |path| Path::new(path).exists();
    exists("/dev/dxg")
        || !exists(MAKES_NODES)
        || exists("/dev/nvidiactl") && exists("/dev/nvidia-uvm")
}

/// Whether a service shares the card between processes: then the driver talks with it through local sockets. What is in the folder
/// for temporary files may be from a lab that was there before, unless it is root's.
pub(super) fn uses_its_service() -> bool {
    let is_of_root = || {
        let found = fs::symlink_metadata(SERVICE);
        found.is_ok_and(|it| it.file_type().is_fifo() && it.uid() == 0)
    };
    env::var_os("CUDA_MPS_PIPE_DIRECTORY").is_some() || is_of_root()
}

fn entries(folder: &str, is_meant: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    let meant = all.filter(|it| it.file_name().to_str().is_some_and(&is_meant));
    meant.map(|it| it.path()).collect()
}

/// The folders of the libraries that this process has mapped, which load others from beside them when they are first used. `own` is
/// its executable.
fn loaded_from(maps: &str, own: &Path) -> BTreeSet<PathBuf> {
    // Five fields without a slash stand before the path.
    let paths = maps
        .lines()
        .filter_map(|it| Some(Path::new(it.split_at(it.find('/')?).1)));
    let libraries = paths.filter(|it| *it != own);
    let folders = libraries.filter_map(Path::parent);
    folders.map(Path::to_owned).collect()
}

/// Whether a folder that the environment names gets a rule: not a home folder or one around it, no relative path, and not a place that
/// is writable anyway, where a lab that was there before may have put a link.
fn may_be_allowed(folder: &Path, homes: &[PathBuf]) -> bool {
    folder.is_absolute() && !folder.starts_with(FOR_ALL) && !holds(folder, homes)
}

/// Whether a folder is a home folder, or one around it.
pub(super) fn holds(folder: &Path, homes: &[PathBuf]) -> bool {
    let without_links = fs::canonicalize(folder);
    let is_around = |folder: &Path| homes.iter().any(|it| it.starts_with(folder));
    folder.parent().is_none() || is_around(folder) || without_links.is_ok_and(|it| is_around(&it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn libraries_are_read_from_where_they_were_loaded() {
        let maps = "\
            7f00-7f10 r-xp 00000000 08:01 98 /people/ada/bin/warpup-worker-cuda\n\
            7f10-7f20 r-xp 00000000 08:01 99 /opt/cuda 13/lib64/libcublas.so.13\n\
            7f20-7f30 r--p 00000000 08:01 98 /opt/cuda 13/lib64/libcublasLt.so.13\n\
            7f30-7f40 r--p 00000000 08:01 97 /people/ada/libodd.so\n\
            7f40-7f50 rw-p 00000000 00:00 0\n\
            7f50-7f60 rw-p 00000000 00:00 0 [heap]\n";
        let own = Path::new("/people/ada/bin/warpup-worker-cuda");
        let expected = ["/people/ada", "/opt/cuda 13/lib64"].map(PathBuf::from);
        assert_eq!(loaded_from(maps, own), expected.into());
    }

    #[test]
    fn no_variable_opens_the_home_folder() {
        let place = tempfile::tempdir_in("/var/tmp").unwrap();
        let at = |name: &str| place.path().join(name);
        fs::create_dir_all(at("people/ada/lib")).unwrap();
        fs::create_dir(at("scratch")).unwrap();
        symlink(at("people"), at("home")).unwrap();
        symlink(at("people/ada"), at("link")).unwrap();
        // As the system names it where the folder of all home folders is a link.
        let homes = [at("home/ada"), at("people/ada")];
        for (folder, is_allowed) in [
            (at("people/ada"), false),
            (at("home/ada"), false),
            (at("home/ada/lib/.."), false),
            (at("people"), false),
            (at("home"), false),
            (at("link"), false),
            (at(""), false),
            ("/".into(), false),
            ("lib".into(), false),
            (".".into(), false),
            ("".into(), false),
            ("/tmp/mine".into(), false),
            (at("people/ada/lib"), true),
            (at("scratch"), true),
            ("/opt".into(), true),
        ] {
            let found = may_be_allowed(&folder, &homes);
            assert_eq!(found, is_allowed, "{}", folder.display());
        }
    }
}
