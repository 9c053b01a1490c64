//! Why a worker for real cards did not start: from the messages of the loader, the system or a launcher to a cause
//! and a hint.
//!
//! Pure. The messages are kept as evidence for the person who helps. None of these causes is a mistake of the program or
//! an error in warpup.

mod loader;

use std::io::ErrorKind;
use std::time::Duration;
use warpup_protocol::{Reason, VERSION};

/// Why the worker did not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StartFailure {
    /// A library of the driver is missing: no driver, or a container without access to it.
    NoDriver {
        /// The library.
        library: String,
    },
    /// A library of the CUDA toolkit, or another one, is missing or unusable.
    NoLibrary {
        /// The library.
        library: String,
    },
    /// The driver is older than the CUDA that the worker was built with.
    OldDriver {
        /// A missing symbol, such as `cuGreenCtxCreate`.
        symbol: String,
    },
    /// The system is older than the one that the worker was built on.
    OldSystem {
        /// A missing version, such as `GLIBC_2.38`.
        version: String,
    },
    /// It was built for another kind of machine.
    OtherMachine,
    /// Its file may not be executed.
    NotExecutable,
    /// It, or its launcher, does not exist.
    NotThere,
    /// It speaks another version of the protocol.
    OtherVersion {
        /// Its version, if it said so.
        theirs: Option<u32>,
    },
    /// It did not start the run in time.
    Silent {
        /// How long the engine waited.
        after: Duration,
    },
    /// What starts it did not get a card in time, as in a queue of jobs.
    Queued {
        /// The command, such as `srun`.
        launcher: String,
        /// How long the engine waited.
        after: Duration,
    },
    /// It ended before its first reply, for another cause.
    Ended {
        /// How, such as `ended with exit status 1`.
        how: String,
    },
}

impl StartFailure {
    /// The cause of an error of the system on start.
    pub(crate) fn of_error(error: &std::io::Error) -> Self {
        /// `ENOEXEC`, for which `ErrorKind` has no variant.
        const NO_EXECUTABLE_FORMAT: i32 = 8;
        if error.kind() == ErrorKind::NotFound {
            Self::NotThere
        } else if error.kind() == ErrorKind::PermissionDenied {
            Self::NotExecutable
        } else if error.raw_os_error() == Some(NO_EXECUTABLE_FORMAT) {
            Self::OtherMachine
        } else {
            Self::Ended {
                how: "was not started".to_owned(),
            }
        }
    }

    /// The cause in words, a hint, and the original message.
    pub(crate) fn reason(&self, worker: &str, stderr: &str) -> Reason {
        let (why, hint) = self.in_words(worker);
        Reason {
            why,
            hint: format!("{hint}; cpu and modelled cards such as model:t4 need none of this"),
            evidence: stderr.trim().to_owned(),
        }
    }

    fn in_words(&self, worker: &str) -> (String, &'static str) {
        match self {
            Self::NoDriver { library } => (
                format!(
                    "{library} is missing: no NVIDIA driver is installed here, or it is not available in this container"
                ),
                "warpup doctor says what is missing",
            ),
            Self::NoLibrary { library } => (
                format!(
                    "{library} cannot be loaded, which the worker for real cards needs besides the driver"
                ),
                "name the folder of the CUDA libraries as library_path under [cuda] in settings.toml, or install the worker again: warpup doctor prints the command",
            ),
            Self::OldDriver { symbol } => (
                format!(
                    "the NVIDIA driver is older than the CUDA that the worker was built with: it has no {symbol}"
                ),
                "update the driver, or build the worker with an older CUDA",
            ),
            Self::OldSystem { version } => (
                format!("this system has no {version}, and the worker was built on a newer one"),
                "warpup doctor prints the command that installs one for this machine",
            ),
            Self::OtherMachine => (
                format!("{worker} was not built for this kind of machine"),
                "warpup doctor prints the command that installs one for this machine",
            ),
            Self::NotExecutable => (
                format!("you may not execute {worker}, or its disk forbids it"),
                "if it is a folder, name the program in it; else chmod +x it, or put it on a disk that is not mounted noexec",
            ),
            Self::NotThere => (
                format!("`{worker}` does not exist, or its launcher does not exist"),
                "correct worker or launcher under [cuda] in settings.toml, if one is set; warpup doctor prints the command that installs a worker",
            ),
            Self::OtherVersion { theirs } => {
                let theirs = match theirs {
                    Some(version) => format!("version {version}"),
                    None => "another version".to_owned(),
                };
                (
                    format!(
                        "the worker for real cards speaks {theirs} of the protocol, the app {VERSION}"
                    ),
                    "install it again: warpup doctor prints the command",
                )
            }
            Self::Silent { after } => (
                format!(
                    "the card was not ready after {} s: its driver may hang, or wait for somebody",
                    after.as_secs()
                ),
                "warpup doctor looks at the driver, and it can be run again",
            ),
            Self::Queued { launcher, after } => (
                format!(
                    "`{launcher}` has started no worker after {} s: others may have the cards that it asks for",
                    after.as_secs()
                ),
                "look at its queue, as with squeue, and run it again later",
            ),
            Self::Ended { how } => (
                format!("the worker for real cards {how} before it was ready"),
                "warpup doctor looks at what it needs",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    fn message(said: &str) -> String {
        let failure = StartFailure::of_stderr(said, "ended with exit status 127");
        let Reason {
            why,
            hint,
            evidence,
        } = failure.reason("/opt/warpup-worker-cuda", said);
        assert_eq!(evidence, said.trim());
        let (hint, _always) = hint.rsplit_once("; cpu and modelled cards").unwrap();
        format!("{why}\n-> {hint}")
    }

    fn loader(library: &str) -> String {
        format!(
            "/opt/warpup-worker-cuda: error while loading shared libraries: {library}: cannot open shared object file: No such file or directory\n"
        )
    }

    #[test]
    fn a_missing_driver_and_a_missing_toolkit_are_two_things() {
        insta::assert_snapshot!(message(&loader("libcuda.so.1")), @r"
        libcuda.so.1 is missing: no NVIDIA driver is installed here, or it is not available in this container
        -> warpup doctor says what is missing
        ");
        insta::assert_snapshot!(message(&loader("libcublas.so.13")), @r"
        libcublas.so.13 cannot be loaded, which the worker for real cards needs besides the driver
        -> name the folder of the CUDA libraries as library_path under [cuda] in settings.toml, or install the worker again: warpup doctor prints the command
        ");
        for library in [
            "libcurand.so.10",
            "libcudart.so.13",
            "libnvrtc.so.13",
            "libcublasLt.so.12",
        ] {
            let failure = StartFailure::of_stderr(&loader(library), "");
            let library = library.to_owned();
            assert_eq!(failure, StartFailure::NoLibrary { library });
        }
        let musl =
            "Error loading shared library libcuda.so.1: No such file or directory (needed by ./w)";
        let library = "libcuda.so.1".to_owned();
        assert_eq!(
            StartFailure::of_stderr(musl, ""),
            StartFailure::NoDriver { library }
        );
    }

    #[test]
    fn an_older_driver_or_system_is_named_by_what_it_lacks() {
        let symbol = "/w: symbol lookup error: /w: undefined symbol: cuGreenCtxCreate, version x\n";
        insta::assert_snapshot!(message(symbol), @r"
        the NVIDIA driver is older than the CUDA that the worker was built with: it has no cuGreenCtxCreate
        -> update the driver, or build the worker with an older CUDA
        ");
        let glibc = "/w: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /w)\n";
        insta::assert_snapshot!(message(glibc), @r"
        this system has no GLIBC_2.38, and the worker was built on a newer one
        -> warpup doctor prints the command that installs one for this machine
        ");
        let blas = "/w: symbol lookup error: /w: undefined symbol: cublasLtMatmul";
        insta::assert_snapshot!(message(blas), @r"
        a library with cublasLtMatmul in it cannot be loaded, which the worker for real cards needs besides the driver
        -> name the folder of the CUDA libraries as library_path under [cuda] in settings.toml, or install the worker again: warpup doctor prints the command
        ");
    }

    #[test]
    fn a_file_that_cannot_be_run_here_is_reported_however_it_is_said() {
        let shell = "sh: 1: exec: /w: Exec format error";
        assert_eq!(
            StartFailure::of_stderr(shell, ""),
            StartFailure::OtherMachine
        );
        let errors = [
            (8, StartFailure::OtherMachine),
            (13, StartFailure::NotExecutable),
            (2, StartFailure::NotThere),
        ];
        for (number, failure) in errors {
            let error = io::Error::from_raw_os_error(number);
            assert_eq!(StartFailure::of_error(&error), failure);
        }
        let ssh = "bash: line 1: warpup-worker-cuda: command not found";
        assert_eq!(StartFailure::of_stderr(ssh, ""), StartFailure::NotThere);
    }

    #[test]
    fn the_first_line_that_makes_sense_counts_and_anything_else_is_an_end() {
        let said = format!(
            "Warning: added gpubox to known hosts\n{}",
            loader("libcuda.so.1")
        );
        insta::assert_snapshot!(message(&said), @r"
        libcuda.so.1 is missing: no NVIDIA driver is installed here, or it is not available in this container
        -> warpup doctor says what is missing
        ");
        insta::assert_snapshot!(message("ssh: connect to host gpubox port 22: refused"), @r"
        the worker for real cards ended with exit status 127 before it was ready
        -> warpup doctor looks at what it needs
        ");
        let silent = StartFailure::Silent {
            after: Duration::from_mins(1),
        };
        insta::assert_snapshot!(silent.reason("", "").why, @"the card was not ready after 60 s: its driver may hang, or wait for somebody");
        let queued = StartFailure::Queued {
            launcher: "srun".to_owned(),
            after: Duration::from_mins(10),
        };
        insta::assert_snapshot!(queued.reason("", "").why, @"`srun` has started no worker after 600 s: others may have the cards that it asks for");
        let version = StartFailure::OtherVersion { theirs: Some(9) };
        insta::assert_snapshot!(version.reason("", "").why, @"the worker for real cards speaks version 9 of the protocol, the app 1");
    }
}
