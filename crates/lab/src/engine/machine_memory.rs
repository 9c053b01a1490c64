//! The memory of this machine that the values of a modelled card may hold: half of what is free, so that the other half is for
//! the kernels that make them, the app, and everybody else.
//!
//! Linux only; elsewhere nothing is known, and the worker takes its own limit.

use std::fs;
use std::path::{Path, PathBuf};

/// The share of what is free: one of so many.
const SHARE: u64 = 2;

/// Bytes for values, by what the system and the control group of this process leave.
pub(super) fn for_values() -> Option<u64> {
    let read = |path: &Path| fs::read_to_string(path).ok();
    Some(free(&read)? / SHARE)
}

/// The smaller of what the machine has and what the groups around this process may still take.
fn free(read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    let of_machine = available(&read(Path::new("/proc/meminfo"))?)?;
    let groups = read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    let of_groups = groups.lines().filter_map(Group::parse);
    let of_groups = of_groups.flat_map(|it| it.free(read));
    of_groups.chain([of_machine]).min()
}

/// The line `MemAvailable:   24034112 kB` of `/proc/meminfo`.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|it| it.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// A control group that limits memory: its folder, and the names of its files.
struct Group {
    root: &'static str,
    folder: PathBuf,
    limit: &'static str,
    used: &'static str,
}

impl Group {
    /// A line of `/proc/self/cgroup`: `0::/path` of version 2, `4:memory:/path` of version 1.
    fn parse(line: &str) -> Option<Self> {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let (root, limit, used) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            it if it.split(',').any(|it| it == "memory") => (
                "/sys/fs/cgroup/memory",
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
            ),
            _ => return None,
        };
        Some(Self {
            root,
            folder: Path::new(root).join(path.trim_start_matches('/')),
            limit,
            used,
        })
    }

    /// What it and the groups around it may still take, each that has a limit. Files in the cache count as free: they go first.
    fn free(&self, read: &dyn Fn(&Path) -> Option<String>) -> Vec<u64> {
        let number = |path: PathBuf| read(&path)?.trim().parse::<u64>().ok();
        let folders = self.folder.ancestors();
        let folders = folders.take_while(|it| it.starts_with(self.root));
        let left = folders.filter_map(|it| {
            let limit = number(it.join(self.limit))?;
            let used = number(it.join(self.used))?;
            let stat = read(&it.join("memory.stat")).unwrap_or_default();
            let cached = stat
                .lines()
                .find_map(|it| it.strip_prefix("inactive_file "))
                .and_then(|it| it.trim().parse().ok());
            Some(limit.saturating_sub(used.saturating_sub(cached.unwrap_or(0))))
        });
        left.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is free on a machine with these files, in MiB.
    fn free_mib(files: &[(&str, &str)]) -> Option<u64> {
        let read = |path: &Path| {
            let found = files.iter().find(|it| Path::new(it.0) == path)?;
            Some(found.1.to_owned())
        };
        free(&read).map(|it| it >> 20)
    }

    const MEMINFO: (&str, &str) = (
        "/proc/meminfo",
        "MemTotal:  8388608 kB\nMemFree:  9 kB\nMemAvailable:  4194304 kB\n",
    );

    #[test]
    fn the_machine_says_what_is_free() {
        assert_eq!(free_mib(&[MEMINFO]), Some(4096));
        assert_eq!(free_mib(&[]), None);
    }

    #[test]
    fn a_group_around_the_process_leaves_less() {
        let two = [
            MEMINFO,
            ("/proc/self/cgroup", "0::/job/step\n"),
            ("/sys/fs/cgroup/job/step/memory.max", "max\n"),
            ("/sys/fs/cgroup/job/step/memory.current", "1048576\n"),
            ("/sys/fs/cgroup/job/memory.max", "2147483648\n"),
            ("/sys/fs/cgroup/job/memory.current", "1073741824\n"),
            (
                "/sys/fs/cgroup/job/memory.stat",
                "anon 5\ninactive_file 536870912\n",
            ),
        ];
        assert_eq!(free_mib(&two), Some(1536));
        let one = [
            MEMINFO,
            ("/proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/job\n"),
            (
                "/sys/fs/cgroup/memory/job/memory.limit_in_bytes",
                "2147483648",
            ),
            (
                "/sys/fs/cgroup/memory/job/memory.usage_in_bytes",
                "2000000000",
            ),
        ];
        assert_eq!(free_mib(&one), Some(140));
    }
}
