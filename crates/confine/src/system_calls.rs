//! seccomp: a list of what the worker may ask of the kernel. Everything else fails with `EPERM`.
//!
//! A list of what is allowed stays right when the kernel learns something new. It is what Rust's standard library,
//! glibc's allocator and threads, and rayon need after the start; nothing on it names a file or another process.

use crate::OpenFiles;
use crate::call_lists::{ALLOWED, ALLOWED_ON_X86_64, REFUSED_ON_X86_64, REFUSED_WITH_CARDS};
use rustix::io::Errno;
use seccompiler::{
    BpfProgram, TargetArch, apply_filter, apply_filter_all_threads, compile_from_json, sock_filter,
};
use serde_json::{Value, json};

/// `AF_UNIX`: sockets of this machine.
const LOCAL: u64 = 1;

/// `SOCK_DGRAM` and `SOCK_RAW`, which is the same among local ones, in the bits of a socket's kind: each message may go to another
/// address, without a `connect`.
const KIND: u64 = 15;
const DATAGRAMS: [u64; 2] = [2, 3];

/// `SCHED_*` and limits of this process itself have 0 for it.
const THIS_PROCESS: u64 = 0;

/// The first number after those that the lists were written for, the same on all machines: what a later kernel brings is
/// refused as if this one did not have it, and so are the second set of numbers of x86-64 (x32), which begin far above.
const LATER: u32 = 463;

/// `ioctl` that types for the user, that drives a console, that makes files signal other processes, and that changes attributes of a
/// file or stops a file system, for which a file that can only be read is enough.
const OF_OTHERS: [u64; 9] = [
    0x5412,
    0x541c,
    0x8901,
    0x8902,
    0x4008_6602,
    0x4004_6602,
    0x401c_5820,
    0xc004_5877,
    0xc004_5878,
];

/// `PR_SET_PDEATHSIG`: whether it ends with the app.
const END_WITH_PARENT: u64 = 1;

/// `fcntl` with the same, and that watches a folder.
const SIGNALS_OF_FILES: [u64; 4] = [8, 10, 15, 1026];

/// Bits of `clone` that make a thread of this process, and those that make a namespace.
const CLONE_THREAD: u64 = 0x0001_0000;
const CLONE_NAMESPACES: u64 = 0x7e02_0080;

/// `PROT_EXEC`: memory that can be executed.
const EXECUTABLE: u64 = 4;

/// `MAP_ANONYMOUS`: memory of no file.
const ANONYMOUS: u64 = 32;

/// `PR_SET_NAME`: the name of a thread.
const SET_NAME: u64 = 15;

/// `fcntl` on the descriptor itself; others send signals and lock files.
const ON_DESCRIPTORS: [u64; 4] = [1, 2, 3, 1030];

/// `clone3` passes its flags in memory, where no filter sees them. Where it does not exist, glibc calls `clone`.
const WITHOUT_CLONE3: &str = "clone3";

/// The descriptors and the process that the lists speak of.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnProcess {
    /// What it has open.
    pub(super) open: OpenFiles,
    /// The process.
    pub(super) process: u32,
}

/// Refuses everything but the list; `None` if the kernel does not take it.
pub(super) fn refuse_all_but_the_list(own: OwnProcess) -> Option<()> {
    let arch = arch()?;
    // An error of either filter counts.
    for filter in [no_clone3(), only_the_list(own, arch)] {
        apply_filter(&compiled(&filter, arch)?).ok()?;
    }
    Some(())
}

/// Refuses, in all threads, what a program must not do and the driver of a card does not need once it is open. `has_service`:
/// a service shares the card, and the driver talks with it through local sockets.
pub(super) fn refuse_what_no_driver_needs(has_service: bool) -> Option<()> {
    let arch = arch()?;
    let listed = all_but_refused(std::process::id(), has_service, arch);
    for filter in [
        compiled(&no_clone3(), arch)?,
        compiled(&listed, arch)?,
        nothing_later(),
    ] {
        apply_filter_all_threads(&filter).ok()?;
    }
    Some(())
}

fn arch() -> Option<TargetArch> {
    TargetArch::try_from(std::env::consts::ARCH).ok()
}

fn compiled(filter: &Value, arch: TargetArch) -> Option<BpfProgram> {
    let text = json!({ "worker": filter }).to_string();
    compile_from_json(text.as_bytes(), arch)
        .ok()?
        .remove("worker")
}

fn no_clone3() -> Value {
    json!({
        "mismatch_action": "allow",
        "match_action": { "errno": Errno::NOSYS.raw_os_error() },
        "filter": [{ "syscall": WITHOUT_CLONE3 }],
    })
}

/// Calls whose numbers are too new: the lists have names only for the others.
fn nothing_later() -> BpfProgram {
    let instruction = |code, jf, k| sock_filter { code, jt: 0, jf, k };
    vec![
        // The number of the call.
        instruction(0x20, 0, 0),
        // From there on: the next instruction; else the one after it.
        instruction(0x35, 1, LATER),
        instruction(
            0x06,
            0,
            0x0005_0000 | Errno::NOSYS.raw_os_error().cast_unsigned(),
        ),
        instruction(0x06, 0, 0x7fff_0000),
    ]
}

fn only_the_list(own: OwnProcess, arch: TargetArch) -> Value {
    let names = ALLOWED.iter().chain(on_x86_64(arch, &ALLOWED_ON_X86_64));
    let mut rules: Vec<Value> = names.map(|it| json!({ "syscall": it })).collect();
    rules.extend(with_conditions(own));
    json!({
        "mismatch_action": { "errno": Errno::PERM.raw_os_error() },
        "match_action": "allow",
        "filter": rules,
    })
}

fn on_x86_64<'a>(arch: TargetArch, names: &'a [&'a str]) -> &'a [&'a str] {
    match arch {
        TargetArch::x86_64 => names,
        TargetArch::aarch64 | TargetArch::riscv64 => &[],
    }
}

/// Everything but these, processes, sockets, and what has another process in its arguments.
fn all_but_refused(process: u32, has_service: bool, arch: TargetArch) -> Value {
    let names = REFUSED_WITH_CARDS
        .iter()
        .chain(on_x86_64(arch, &REFUSED_ON_X86_64))
        .filter(|it| !has_service || !["socket", "connect"].contains(it));
    let mut rules: Vec<Value> = names.map(|it| json!({ "syscall": it })).collect();
    let mut refuse =
        |name: &str, conditions: Value| rules.push(json!({ "syscall": name, "args": conditions }));
    refuse("clone", json!([masked(0, CLONE_THREAD, 0)]));
    if has_service {
        refuse("socket", json!([is_not(0, LOCAL)]));
    }
    refuse("socketpair", json!([is_not(0, LOCAL)]));
    for kind in DATAGRAMS {
        refuse("socketpair", json!([masked(1, KIND, kind)]));
    }
    refuse("prctl", json!([is(0, END_WITH_PARENT)]));
    for name in ["prlimit64", "sched_setaffinity", "move_pages"] {
        refuse(name, json!([is_not(0, THIS_PROCESS)]));
    }
    refuse("tgkill", json!([is_not(0, process)]));
    for request in OF_OTHERS {
        refuse("ioctl", json!([is(1, request)]));
    }
    for command in SIGNALS_OF_FILES {
        refuse("fcntl", json!([is(1, command)]));
    }
    json!({
        "mismatch_action": "allow",
        "match_action": { "errno": Errno::PERM.raw_os_error() },
        "filter": rules,
    })
}

/// What is allowed with certain arguments.
fn with_conditions(own: OwnProcess) -> Vec<Value> {
    let mut rules = Vec::new();
    let mut allow =
        |name: &str, conditions: Value| rules.push(json!({ "syscall": name, "args": conditions }));
    for name in ["read", "readv"] {
        allow(name, json!([is(0, 0)]));
    }
    for name in ["write", "writev"] {
        for descriptor in [1, 2, own.open.protocol] {
            allow(name, json!([is(0, descriptor)]));
        }
    }
    if let Some(counts) = own.open.run_delay {
        allow("pread64", json!([is(0, counts)]));
    }
    for command in ON_DESCRIPTORS {
        allow("fcntl", json!([is(1, command)]));
    }
    let is_data = masked(2, EXECUTABLE, 0);
    // A file that is mapped is read and written without any further call.
    allow("mmap", json!([is_data, masked(3, ANONYMOUS, ANONYMOUS)]));
    allow("mprotect", json!([is_data]));
    allow(
        "clone",
        json!([masked(0, CLONE_THREAD | CLONE_NAMESPACES, CLONE_THREAD)]),
    );
    allow("prctl", json!([is(0, SET_NAME)]));
    allow("prlimit64", json!([is(0, THIS_PROCESS)]));
    allow("tgkill", json!([is(0, own.process)]));
    rules
}

fn is(index: u8, value: impl Into<Value>) -> Value {
    compared(index, "eq", value)
}

fn is_not(index: u8, value: impl Into<Value>) -> Value {
    compared(index, "ne", value)
}

fn compared(index: u8, operation: &str, value: impl Into<Value>) -> Value {
    json!({ "index": index, "type": "dword", "op": operation, "val": value.into() })
}

fn masked(index: u8, mask: u64, value: u64) -> Value {
    json!({ "index": index, "type": "qword", "op": { "masked_eq": mask }, "val": value })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: OwnProcess = OwnProcess {
        open: OpenFiles {
            protocol: 10,
            run_delay: None,
        },
        process: 77,
    };

    #[test]
    fn the_filters_compile() {
        for arch in [TargetArch::x86_64, TargetArch::aarch64, TargetArch::riscv64] {
            let filters = [
                no_clone3(),
                only_the_list(OWN, arch),
                all_but_refused(OWN.process, false, arch),
                all_but_refused(OWN.process, true, arch),
            ];
            for filter in filters {
                assert!(compiled(&filter, arch).is_some(), "{arch:?}: {filter}");
            }
        }
    }

    #[test]
    fn what_the_system_counts_of_a_thread_is_read_in_its_own_file_only() {
        let open = OpenFiles {
            run_delay: Some(4),
            ..OWN.open
        };
        let filter = only_the_list(OwnProcess { open, ..OWN }, TargetArch::x86_64);
        let rules = filter["filter"].as_array().unwrap();
        let of_reads = rules.iter().filter(|it| it["syscall"] == "pread64");
        let conditions: Vec<_> = of_reads.map(|it| &it["args"]).collect();
        assert_eq!(conditions, [&json!([is(0, 4)])]);
    }

    #[test]
    fn nothing_on_the_list_reaches_files_programs_or_processes() {
        let filter = only_the_list(OWN, TargetArch::x86_64).to_string();
        for name in [
            "open",
            "openat",
            "openat2",
            "creat",
            "stat",
            "newfstatat",
            "statx",
            "readlink",
            "unlink",
            "execve",
            "execveat",
            "fork",
            "vfork",
            "ptrace",
            "process_vm_readv",
            "process_vm_writev",
            "kill",
            "tkill",
            "pidfd_open",
            "pidfd_getfd",
            "pidfd_send_signal",
            "socket",
            "socketpair",
            "connect",
            "bind",
            "sendmsg",
            "unshare",
            "setns",
            "mount",
            "chroot",
            "keyctl",
            "bpf",
            "perf_event_open",
            "io_uring_setup",
            "userfaultfd",
            "memfd_create",
            "dup",
            "ioctl",
            "setsid",
            "setpgid",
            "seccomp",
            "init_module",
            "kexec_load",
            "reboot",
            "personality",
            "pread64",
            "sendfile",
            "splice",
            "shmget",
            "mq_open",
            "inotify_init1",
            "fanotify_init",
            "open_by_handle_at",
        ] {
            assert!(!filter.contains(&format!("\"{name}\"")), "{name}");
        }
    }
}
