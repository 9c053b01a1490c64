//! Closes what was open when the worker was started. A descriptor leads to its file whatever rules come later: they look at
//! paths, and a file that is mapped needs no further call.

use super::OpenFiles;
use rustix::process::{Resource, getrlimit};
use std::fs;
use std::os::fd::RawFd;

/// Where the system lists the descriptors of the process that asks: Linux, and others.
const LISTS: [&str; 2] = ["/proc/self/fd", "/dev/fd"];

/// The descriptors that are tried where there is no list: more than any shell opens.
const MOST: u64 = 1 << 16;

/// Closes all but the standard ones and these.
pub(super) fn close_all_but(kept: OpenFiles) {
    let standard = 0..=2;
    for descriptor in open() {
        let is_kept = descriptor == kept.protocol || Some(descriptor) == kept.run_delay;
        if !standard.contains(&descriptor) && !is_kept {
            // The list was one of them, and is closed already.
            let _ = nix::unistd::close(descriptor);
        }
    }
}

fn open() -> Vec<RawFd> {
    let mut lists = LISTS.iter().filter_map(|it| fs::read_dir(it).ok());
    let listed = lists.next().map(|entries| {
        let names = entries.flatten().map(|it| it.file_name());
        let numbers = names.filter_map(|it| it.to_str()?.parse().ok());
        numbers.collect::<Vec<RawFd>>()
    });
    listed.unwrap_or_else(|| {
        let limit = getrlimit(Resource::Nofile).maximum.unwrap_or(MOST);
        let end = RawFd::try_from(limit.min(MOST)).unwrap_or(0);
        (0..end).collect()
    })
}
