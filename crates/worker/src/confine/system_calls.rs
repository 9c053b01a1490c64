//! seccomp: a list of what the worker may ask of the kernel. Everything else fails with `EPERM`.
//!
//! A list of what is allowed stays right when the kernel learns something new. It is what Rust's standard library,
//! glibc's allocator and threads, and rayon need after the start; nothing on it names a file or another process.

use rustix::io::Errno;
use seccompiler::{
    BpfProgram, TargetArch, apply_filter, apply_filter_all_threads, compile_from_json,
};
use serde_json::{Value, json};

/// Allowed with any arguments.
const ALLOWED: [&str; 42] = [
    // Memory. Without execution: see `CONDITIONS`.
    "brk",
    "madvise",
    "mremap",
    "munmap",
    // Threads. `clone3` is answered by another filter: see `WITHOUT_CLONE3`.
    "clone3",
    "exit",
    "exit_group",
    "futex",
    "get_robust_list",
    "gettid",
    "membarrier",
    "restart_syscall",
    "rseq",
    "sched_getaffinity",
    "sched_yield",
    "set_robust_list",
    "set_tid_address",
    // Signals to itself: a stack overflow is caught, and what cannot go on aborts.
    "getpid",
    "getppid",
    "rt_sigaction",
    "rt_sigpending",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sigaltstack",
    // Time.
    "clock_getres",
    "clock_gettime",
    "clock_nanosleep",
    "getcpu",
    "getrusage",
    "gettimeofday",
    "nanosleep",
    "times",
    // The rest: random seeds, the amount of memory, the ends of pipes.
    "close",
    "fstat",
    "getegid",
    "geteuid",
    "getgid",
    "getrandom",
    "getuid",
    "ppoll",
    "sysinfo",
    "uname",
];

/// The same, where the machine has them: later ones do without.
#[cfg(target_arch = "x86_64")]
const OF_THIS_MACHINE: &[&str] = &["poll", "time"];
#[cfg(not(target_arch = "x86_64"))]
const OF_THIS_MACHINE: &[&str] = &[];

/// Refused beside a card: programs, other processes, the kernel itself.
const REFUSED_WITH_CARDS: [&str; 40] = [
    "execve",
    "execveat",
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "pidfd_open",
    "pidfd_getfd",
    "pidfd_send_signal",
    "kill",
    "tkill",
    "rt_sigqueueinfo",
    "rt_tgsigqueueinfo",
    "setsid",
    "setpgid",
    "unshare",
    "setns",
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "fsopen",
    "fsmount",
    "move_mount",
    "open_tree",
    "keyctl",
    "add_key",
    "request_key",
    "bpf",
    "perf_event_open",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "userfaultfd",
    "init_module",
    "finit_module",
    "delete_module",
    "kexec_load",
    "reboot",
    "open_by_handle_at",
    "acct",
];

/// The same, where the machine has them.
#[cfg(target_arch = "x86_64")]
const REFUSED_OF_THIS_MACHINE: &[&str] = &["fork", "vfork"];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_OF_THIS_MACHINE: &[&str] = &[];

/// `AF_INET`, `AF_INET6`, `AF_PACKET`, `AF_VSOCK`: sockets that reach other machines.
const INTERNET: [u64; 4] = [2, 10, 17, 40];

/// Bits of `clone` that make a thread of this process, and those that make a namespace.
const CLONE_THREAD: u64 = 0x0001_0000;
const CLONE_NAMESPACES: u64 = 0x7e02_0080;

/// `PROT_EXEC`: memory that can be executed.
const EXECUTABLE: u64 = 4;

/// `PR_SET_NAME`: the name of a thread.
const SET_NAME: u64 = 15;

/// `fcntl` on the descriptor itself; others send signals and lock files.
const ON_DESCRIPTORS: [u64; 4] = [1, 2, 3, 1030];

/// `clone3` passes its flags in memory, where no filter sees them. Where it does not exist, glibc calls `clone`.
const WITHOUT_CLONE3: &str = "clone3";

/// The descriptors and the process that the lists speak of.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnProcess {
    /// Where replies are written.
    pub(super) protocol: i32,
    /// The process.
    pub(super) process: u32,
}

/// Refuses everything but the list; `None` if the kernel does not take it.
pub(super) fn refuse_all_but_the_list(own: OwnProcess) -> Option<()> {
    // An error of either filter counts.
    for filter in [no_clone3(), only_the_list(own)] {
        apply_filter(&compiled(&filter)?).ok()?;
    }
    Some(())
}

/// Refuses, in all threads, what a program must not do and the driver of a card does not need once it is open.
pub(super) fn refuse_what_no_driver_needs() -> Option<()> {
    for filter in [no_clone3(), all_but(&REFUSED_WITH_CARDS)] {
        apply_filter_all_threads(&compiled(&filter)?).ok()?;
    }
    Some(())
}

fn compiled(filter: &Value) -> Option<BpfProgram> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).ok()?;
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

fn only_the_list(own: OwnProcess) -> Value {
    let names = ALLOWED.iter().chain(OF_THIS_MACHINE);
    let mut rules: Vec<Value> = names.map(|it| json!({ "syscall": it })).collect();
    rules.extend(with_conditions(own));
    json!({
        "mismatch_action": { "errno": Errno::PERM.raw_os_error() },
        "match_action": "allow",
        "filter": rules,
    })
}

/// Everything but these, processes, and sockets to other machines.
fn all_but(names: &[&str]) -> Value {
    let names = names.iter().chain(REFUSED_OF_THIS_MACHINE);
    let mut rules: Vec<Value> = names.map(|it| json!({ "syscall": it })).collect();
    rules.push(json!({ "syscall": "clone", "args": [masked(0, CLONE_THREAD, 0)] }));
    for family in INTERNET {
        rules.push(json!({ "syscall": "socket", "args": [is(0, family)] }));
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
    // A descriptor that the app's own parent left open is no way out.
    for name in ["read", "readv"] {
        allow(name, json!([is(0, 0)]));
    }
    for name in ["write", "writev"] {
        for descriptor in [1, 2, own.protocol] {
            allow(name, json!([is(0, descriptor)]));
        }
    }
    for command in ON_DESCRIPTORS {
        allow("fcntl", json!([is(1, command)]));
    }
    for name in ["mmap", "mprotect"] {
        allow(name, json!([masked(2, EXECUTABLE, 0)]));
    }
    allow(
        "clone",
        json!([masked(0, CLONE_THREAD | CLONE_NAMESPACES, CLONE_THREAD)]),
    );
    allow("prctl", json!([is(0, SET_NAME)]));
    allow("prlimit64", json!([is(0, 0)]));
    allow("tgkill", json!([is(0, own.process)]));
    rules
}

fn is(index: u8, value: impl Into<Value>) -> Value {
    json!({ "index": index, "type": "dword", "op": "eq", "val": value.into() })
}

fn masked(index: u8, mask: u64, value: u64) -> Value {
    json!({ "index": index, "type": "qword", "op": { "masked_eq": mask }, "val": value })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: OwnProcess = OwnProcess {
        protocol: 10,
        process: 77,
    };

    #[test]
    fn the_filters_compile() {
        assert!(compiled(&no_clone3()).is_some());
        assert!(compiled(&only_the_list(OWN)).is_some());
        assert!(compiled(&all_but(&REFUSED_WITH_CARDS)).is_some());
    }

    #[test]
    fn nothing_on_the_list_reaches_files_programs_or_processes() {
        let filter = only_the_list(OWN).to_string();
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
