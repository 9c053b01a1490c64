//! The numbers of the calls that `attacks.txt` names.

macro_rules! numbers {
    ($($name:literal $number:ident)*) => {
        [$(($name, libc::$number)),*]
    };
}

pub(super) const NAMES: [(&str, i64); 121] = numbers! {
    "acct" SYS_acct
    "add_key" SYS_add_key
    "adjtimex" SYS_adjtimex
    "bind" SYS_bind
    "bpf" SYS_bpf
    "capset" SYS_capset
    "chdir" SYS_chdir
    "chroot" SYS_chroot
    "clock_adjtime" SYS_clock_adjtime
    "clock_settime" SYS_clock_settime
    "clone" SYS_clone
    "clone3" SYS_clone3
    "connect" SYS_connect
    "copy_file_range" SYS_copy_file_range
    "delete_module" SYS_delete_module
    "dup" SYS_dup
    "dup3" SYS_dup3
    "execve" SYS_execve
    "execveat" SYS_execveat
    "fadvise64" SYS_fadvise64
    "fallocate" SYS_fallocate
    "fanotify_init" SYS_fanotify_init
    "fchmod" SYS_fchmod
    "fchmodat" SYS_fchmodat
    "fchmodat2" SYS_fchmodat2
    "fchown" SYS_fchown
    "fchownat" SYS_fchownat
    "fcntl" SYS_fcntl
    "flock" SYS_flock
    "fsetxattr" SYS_fsetxattr
    "fsopen" SYS_fsopen
    "ftruncate" SYS_ftruncate
    "getdents64" SYS_getdents64
    "getxattr" SYS_getxattr
    "init_module" SYS_init_module
    "inotify_add_watch" SYS_inotify_add_watch
    "inotify_init1" SYS_inotify_init1
    "io_uring_setup" SYS_io_uring_setup
    "ioctl" SYS_ioctl
    "ioprio_set" SYS_ioprio_set
    "kcmp" SYS_kcmp
    "kexec_load" SYS_kexec_load
    "keyctl" SYS_keyctl
    "kill" SYS_kill
    "linkat" SYS_linkat
    "listen" SYS_listen
    "listxattr" SYS_listxattr
    "lseek" SYS_lseek
    "lsetxattr" SYS_lsetxattr
    "memfd_create" SYS_memfd_create
    "migrate_pages" SYS_migrate_pages
    "mkdirat" SYS_mkdirat
    "mknodat" SYS_mknodat
    "mmap" SYS_mmap
    "mount" SYS_mount
    "move_pages" SYS_move_pages
    "mq_open" SYS_mq_open
    "msgget" SYS_msgget
    "name_to_handle_at" SYS_name_to_handle_at
    "newfstatat" SYS_newfstatat
    "open_by_handle_at" SYS_open_by_handle_at
    "open_tree" SYS_open_tree
    "openat" SYS_openat
    "openat2" SYS_openat2
    "perf_event_open" SYS_perf_event_open
    "personality" SYS_personality
    "pidfd_getfd" SYS_pidfd_getfd
    "pidfd_open" SYS_pidfd_open
    "pidfd_send_signal" SYS_pidfd_send_signal
    "pivot_root" SYS_pivot_root
    "prctl" SYS_prctl
    "pread64" SYS_pread64
    "preadv" SYS_preadv
    "prlimit64" SYS_prlimit64
    "process_vm_readv" SYS_process_vm_readv
    "process_vm_writev" SYS_process_vm_writev
    "ptrace" SYS_ptrace
    "pwrite64" SYS_pwrite64
    "quotactl" SYS_quotactl
    "read" SYS_read
    "readv" SYS_readv
    "reboot" SYS_reboot
    "removexattr" SYS_removexattr
    "renameat2" SYS_renameat2
    "request_key" SYS_request_key
    "rt_sigqueueinfo" SYS_rt_sigqueueinfo
    "rt_tgsigqueueinfo" SYS_rt_tgsigqueueinfo
    "sched_setaffinity" SYS_sched_setaffinity
    "sched_setattr" SYS_sched_setattr
    "sched_setparam" SYS_sched_setparam
    "sched_setscheduler" SYS_sched_setscheduler
    "semget" SYS_semget
    "sendfile" SYS_sendfile
    "sendto" SYS_sendto
    "setdomainname" SYS_setdomainname
    "setgroups" SYS_setgroups
    "sethostname" SYS_sethostname
    "setns" SYS_setns
    "setpgid" SYS_setpgid
    "setpriority" SYS_setpriority
    "setsid" SYS_setsid
    "settimeofday" SYS_settimeofday
    "setuid" SYS_setuid
    "setxattr" SYS_setxattr
    "shmget" SYS_shmget
    "socket" SYS_socket
    "socketpair" SYS_socketpair
    "splice" SYS_splice
    "swapon" SYS_swapon
    "symlinkat" SYS_symlinkat
    "syslog" SYS_syslog
    "tee" SYS_tee
    "tgkill" SYS_tgkill
    "tkill" SYS_tkill
    "truncate" SYS_truncate
    "umount2" SYS_umount2
    "unlinkat" SYS_unlinkat
    "unshare" SYS_unshare
    "userfaultfd" SYS_userfaultfd
    "utimensat" SYS_utimensat
    "write" SYS_write
};

/// Calls that only x86-64 has.
#[cfg(target_arch = "x86_64")]
pub(super) const OLD_NAMES: [(&str, i64); 25] = numbers! {
    "access" SYS_access
    "chmod" SYS_chmod
    "chown" SYS_chown
    "creat" SYS_creat
    "dup2" SYS_dup2
    "fork" SYS_fork
    "futimesat" SYS_futimesat
    "ioperm" SYS_ioperm
    "iopl" SYS_iopl
    "lchown" SYS_lchown
    "link" SYS_link
    "mkdir" SYS_mkdir
    "mknod" SYS_mknod
    "modify_ldt" SYS_modify_ldt
    "open" SYS_open
    "readlink" SYS_readlink
    "rename" SYS_rename
    "renameat" SYS_renameat
    "rmdir" SYS_rmdir
    "stat" SYS_stat
    "symlink" SYS_symlink
    "unlink" SYS_unlink
    "utime" SYS_utime
    "utimes" SYS_utimes
    "vfork" SYS_vfork
};
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLD_NAMES: [(&str, i64); 0] = [];
