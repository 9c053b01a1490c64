//! Each call by its number, with arguments that mean nothing.

use super::outside::{answers, is_refused};
use libc as c;
use std::collections::BTreeSet;

/// More than there are.
const NUMBERS: i64 = 512;

/// Where the second set of numbers of x86-64 begins.
const X32: i64 = 0x4000_0000;

/// All that a worker for the CPU may ask for with such arguments: its memory, its threads, its signals, the time.
const OF_HOST: [i64; 41] = [
    c::SYS_brk,
    c::SYS_madvise,
    c::SYS_mremap,
    c::SYS_munmap,
    c::SYS_exit,
    c::SYS_exit_group,
    c::SYS_futex,
    c::SYS_get_robust_list,
    c::SYS_gettid,
    c::SYS_membarrier,
    c::SYS_restart_syscall,
    c::SYS_rseq,
    c::SYS_sched_getaffinity,
    c::SYS_sched_yield,
    c::SYS_set_robust_list,
    c::SYS_set_tid_address,
    c::SYS_getpid,
    c::SYS_getppid,
    c::SYS_rt_sigaction,
    c::SYS_rt_sigpending,
    c::SYS_rt_sigprocmask,
    c::SYS_rt_sigreturn,
    c::SYS_sigaltstack,
    c::SYS_clock_getres,
    c::SYS_clock_gettime,
    c::SYS_clock_nanosleep,
    c::SYS_getcpu,
    c::SYS_getrusage,
    c::SYS_gettimeofday,
    c::SYS_nanosleep,
    c::SYS_times,
    c::SYS_close,
    c::SYS_fstat,
    c::SYS_getegid,
    c::SYS_geteuid,
    c::SYS_getgid,
    c::SYS_getrandom,
    c::SYS_getuid,
    c::SYS_ppoll,
    c::SYS_sysinfo,
    c::SYS_uname,
];

/// The same, on machines whose list of calls is old.
#[cfg(target_arch = "x86_64")]
const OLD: [i64; 2] = [c::SYS_poll, c::SYS_time];
#[cfg(not(target_arch = "x86_64"))]
const OLD: [i64; 0] = [];

/// The kernel answers these past every filter, since a probe of root's may have put them into a program: outside of such a place they
/// end the process.
#[cfg(target_arch = "x86_64")]
const OF_PROBES: [i64; 2] = [335, 336];
#[cfg(not(target_arch = "x86_64"))]
const OF_PROBES: [i64; 0] = [];

/// What no worker with a card may ask for, whatever the arguments are.
const REACHES_OUT: [i64; 60] = [
    c::SYS_execve,
    c::SYS_execveat,
    c::SYS_ptrace,
    c::SYS_process_vm_readv,
    c::SYS_process_vm_writev,
    c::SYS_pidfd_open,
    c::SYS_pidfd_getfd,
    c::SYS_pidfd_send_signal,
    c::SYS_kill,
    c::SYS_tkill,
    c::SYS_tgkill,
    c::SYS_rt_sigqueueinfo,
    c::SYS_rt_tgsigqueueinfo,
    c::SYS_prlimit64,
    c::SYS_setpriority,
    c::SYS_ioprio_set,
    c::SYS_sched_setaffinity,
    c::SYS_sched_setattr,
    c::SYS_sched_setparam,
    c::SYS_sched_setscheduler,
    c::SYS_fchmodat,
    c::SYS_fchownat,
    c::SYS_utimensat,
    c::SYS_setxattr,
    c::SYS_lsetxattr,
    c::SYS_fsetxattr,
    c::SYS_getxattr,
    c::SYS_listxattr,
    c::SYS_removexattr,
    c::SYS_inotify_add_watch,
    c::SYS_fanotify_init,
    c::SYS_open_by_handle_at,
    c::SYS_socket,
    c::SYS_connect,
    c::SYS_bind,
    c::SYS_shmget,
    c::SYS_shmat,
    c::SYS_msgget,
    c::SYS_semget,
    c::SYS_mq_open,
    c::SYS_keyctl,
    c::SYS_add_key,
    c::SYS_request_key,
    c::SYS_unshare,
    c::SYS_setns,
    c::SYS_mount,
    c::SYS_umount2,
    c::SYS_pivot_root,
    c::SYS_chroot,
    c::SYS_sethostname,
    c::SYS_settimeofday,
    c::SYS_clock_settime,
    c::SYS_syslog,
    c::SYS_reboot,
    c::SYS_init_module,
    c::SYS_bpf,
    c::SYS_perf_event_open,
    c::SYS_io_uring_setup,
    c::SYS_userfaultfd,
    c::SYS_acct,
];

/// The first number that the lists of a worker with a card have no name for.
const LATER: i64 = 463;

pub(super) fn of_host() -> Vec<String> {
    let answered = answered("host");
    let allowed: BTreeSet<i64> = OF_HOST.into_iter().chain(OLD).chain(OF_PROBES).collect();
    let mut faults = wrong(&answered, |it| !allowed.contains(&it));
    if answered.len() < 30 {
        faults.push(format!("only {} calls were answered", answered.len()));
    }
    faults
}

pub(super) fn of_cards() -> Vec<String> {
    let refused = BTreeSet::from(REACHES_OUT);
    ["card", "driver"]
        .into_iter()
        .flat_map(|kind| {
            let answered = answered(kind);
            let mut faults = wrong(&answered, |it| refused.contains(&it) || it >= LATER);
            if answered.len() < 100 {
                faults.push(format!("only {} calls were answered", answered.len()));
            }
            faults
        })
        .collect()
}

fn wrong(answered: &BTreeSet<i64>, is_wrong: impl Fn(i64) -> bool) -> Vec<String> {
    let wrong = answered.iter().filter(|it| is_wrong(**it));
    wrong
        .map(|it| format!("the call {it} is answered"))
        .collect()
}

/// The numbers that the kernel does not refuse to this kind of process, those that end it included.
fn answered(kind: &str) -> BTreeSet<i64> {
    let home = tempfile::tempdir_in("/var/tmp").unwrap();
    std::fs::write(home.path().join("secret"), "7").unwrap();
    let all: Vec<i64> = (0..NUMBERS).chain(X32..X32 + NUMBERS).collect();
    let mut found = BTreeSet::new();
    let mut rest = all.as_slice();
    while !rest.is_empty() {
        let calls: Vec<String> = rest
            .iter()
            .flat_map(|it| {
                [&it.to_string(), "-1", "-1", "-1", "-1", "-1", "-1", ","].map(str::to_owned)
            })
            .collect();
        let (_comma, calls) = calls.split_last().unwrap();
        let answers = answers(kind, calls, home.path());
        let answered = answers.iter().filter(|it| !is_refused(it.1));
        found.extend(answered.map(|it| it.0));
        rest = rest.get(answers.len()..).unwrap_or_default();
        if let [ended, others @ ..] = rest {
            // It waits, or the process is gone: it was made.
            found.insert(*ended);
            rest = others;
        }
    }
    found
}
