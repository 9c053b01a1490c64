//! Why a worker for real cards did not start, from what the loader, the system or a launcher said.
//!
//! Pure: words in, a cause out, with what to try. The words themselves are kept as evidence, since somebody who
//! can help will ask for them. None of these is a mistake in a program, nor a fault of warpup's.

use crate::protocol::{Reason, VERSION};
use std::io::ErrorKind;
use std::time::Duration;

/// Why it did not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A library of the driver is missing: no driver, or a container that is not let at it.
    NoDriver {
        /// The library.
        library: String,
    },
    /// A library of the CUDA toolkit, or another one, is missing or cannot be used.
    NoLibrary {
        /// The library.
        library: String,
    },
    /// The driver is older than the CUDA that the worker was built with.
    OldDriver {
        /// What it lacks, such as `cuGreenCtxCreate`.
        symbol: String,
    },
    /// The system is older than the one that the worker was built on.
    OldSystem {
        /// What it lacks, such as `GLIBC_2.38`.
        version: String,
    },
    /// It was built for another kind of machine.
    OtherMachine,
    /// Its file may not be executed.
    NotExecutable,
    /// It, or what starts it, is not there.
    NotThere,
    /// It speaks another version of the protocol.
    OtherVersion {
        /// Which, if it said so.
        theirs: Option<u32>,
    },
    /// It did not begin with the run in time.
    Silent {
        /// How long it was waited for.
        after: Duration,
    },
    /// It ended before it said anything, in another way.
    Ended {
        /// How, such as `ended with exit status 1`.
        how: String,
    },
}

impl Trouble {
    /// What the end of a worker means that had not said a word yet.
    pub fn of_words(said: &str, how: &str) -> Self {
        let causes = [of_loader, of_symbol, of_version, of_shell];
        let mut found = said
            .lines()
            .filter_map(|line| causes.iter().find_map(|cause| cause(line)));
        found.next().unwrap_or_else(|| Self::Ended {
            how: how.to_owned(),
        })
    }

    /// What it means that the system did not even start it.
    pub fn of_error(error: &std::io::Error) -> Self {
        /// `ENOEXEC`, which has no kind of its own yet.
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

    /// The cause in words, what to try, and what was said.
    pub fn reason(&self, worker: &str, said: &str) -> Reason {
        let (why, hint) = self.in_words(worker);
        Reason {
            why,
            hint: format!("{hint}; cpu and modelled cards such as model:t4 need none of this"),
            evidence: said.trim().to_owned(),
        }
    }

    fn in_words(&self, worker: &str) -> (String, String) {
        let hint = |text: &str| text.to_owned();
        match self {
            Self::NoDriver { library } => (
                format!(
                    "{library} is missing: no NVIDIA driver is installed here, or it is not let into this container"
                ),
                hint("warpup doctor says what is missing"),
            ),
            Self::NoLibrary { library } => (
                format!(
                    "{library} cannot be loaded, which the worker for real cards needs besides the driver"
                ),
                hint(
                    "name the folder of the CUDA libraries as library_path under [cuda] in settings.toml, or build the worker again with scripts/build-cuda-worker",
                ),
            ),
            Self::OldDriver { symbol } => (
                format!(
                    "the NVIDIA driver is older than the CUDA that the worker was built with: it has no {symbol}"
                ),
                hint("update the driver, or build the worker with an older CUDA"),
            ),
            Self::OldSystem { version } => (
                format!("this system has no {version}, and the worker was built on a newer one"),
                hint("build the worker on this machine with scripts/build-cuda-worker"),
            ),
            Self::OtherMachine => (
                format!("{worker} is no program for this kind of machine"),
                hint("build the worker on this machine with scripts/build-cuda-worker"),
            ),
            Self::NotExecutable => (
                format!("{worker} may not be executed by you, or where it lies"),
                hint("chmod +x it, or put it on a disk that is not mounted noexec"),
            ),
            Self::NotThere => (
                format!("{worker} is not there, or what it is started by is not"),
                hint("scripts/build-cuda-worker builds a worker where there is a card"),
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
                    hint("build it again with scripts/build-cuda-worker"),
                )
            }
            Self::Silent { after } => (
                format!(
                    "the card was not ready after {} s: its driver may hang, or wait for somebody",
                    after.as_secs()
                ),
                hint("warpup doctor looks at the driver, and it can be run again"),
            ),
            Self::Ended { how } => (
                format!("the worker for real cards {how} before it was ready"),
                hint("warpup doctor looks at what it needs"),
            ),
        }
    }
}

/// `…: error while loading shared libraries: libcuda.so.1: cannot open shared object file: …`, by glibc, and
/// `Error loading shared library libcuda.so.1: …`, by musl.
fn of_loader(line: &str) -> Option<Trouble> {
    let (_, rest) = line
        .split_once("error while loading shared libraries: ")
        .or_else(|| line.split_once("Error loading shared library "))?;
    let library = rest.split(": ").next()?.trim();
    let name = library.rsplit('/').next()?.to_owned();
    Some(match of_version(line) {
        Some(version) => version,
        None if name.starts_with("libcuda.") || name.starts_with("libnvidia-") => {
            Trouble::NoDriver { library: name }
        }
        None => Trouble::NoLibrary { library: name },
    })
}

/// `…: symbol lookup error: …: undefined symbol: cuGreenCtxCreate`, and musl's `Error relocating …: cuX: symbol
/// not found`.
fn of_symbol(line: &str) -> Option<Trouble> {
    let symbol = match line.split_once("undefined symbol: ") {
        Some((_, symbol)) => symbol,
        None => line
            .strip_suffix(": symbol not found")?
            .rsplit(' ')
            .next()?,
    };
    let symbol: String = symbol
        .chars()
        .take_while(|it| it.is_ascii_alphanumeric() || *it == '_')
        .collect();
    // The driver's own functions are `cu` and a capital; cuBLAS and its like go on in small letters.
    let is_driver = symbol
        .strip_prefix("cu")
        .is_some_and(|it| it.starts_with(|it: char| it.is_ascii_uppercase()));
    if is_driver {
        return Some(Trouble::OldDriver { symbol });
    }
    let library = format!("a library with {symbol} in it");
    Some(Trouble::NoLibrary { library })
}

/// ``…/libc.so.6: version `GLIBC_2.38' not found (required by …)``
fn of_version(line: &str) -> Option<Trouble> {
    let (before, _) = line.split_once("' not found")?;
    let (_, version) = before.rsplit_once("version `")?;
    Some(Trouble::OldSystem {
        version: version.to_owned(),
    })
}

/// What a shell says, here or behind a launcher.
fn of_shell(line: &str) -> Option<Trouble> {
    let line = line.trim_end();
    if line.ends_with("Exec format error") || line.ends_with("wrong ELF class: ELFCLASS32") {
        Some(Trouble::OtherMachine)
    } else if line.ends_with(": Permission denied") {
        Some(Trouble::NotExecutable)
    } else if line.ends_with("command not found") || line.ends_with(": not found") {
        Some(Trouble::NotThere)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    fn told(said: &str) -> String {
        let trouble = Trouble::of_words(said, "ended with exit status 127");
        let Reason {
            why,
            hint,
            evidence,
        } = trouble.reason("/opt/warpup-worker-cuda", said);
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
        insta::assert_snapshot!(told(&loader("libcuda.so.1")), @r"
        libcuda.so.1 is missing: no NVIDIA driver is installed here, or it is not let into this container
        -> warpup doctor says what is missing
        ");
        insta::assert_snapshot!(told(&loader("libcublas.so.13")), @r"
        libcublas.so.13 cannot be loaded, which the worker for real cards needs besides the driver
        -> name the folder of the CUDA libraries as library_path under [cuda] in settings.toml, or build the worker again with scripts/build-cuda-worker
        ");
        for library in [
            "libcurand.so.10",
            "libcudart.so.13",
            "libnvrtc.so.13",
            "libcublasLt.so.12",
        ] {
            let trouble = Trouble::of_words(&loader(library), "");
            let library = library.to_owned();
            assert_eq!(trouble, Trouble::NoLibrary { library });
        }
        let musl =
            "Error loading shared library libcuda.so.1: No such file or directory (needed by ./w)";
        let library = "libcuda.so.1".to_owned();
        assert_eq!(Trouble::of_words(musl, ""), Trouble::NoDriver { library });
    }

    #[test]
    fn an_older_driver_or_system_is_told_by_what_it_lacks() {
        let symbol = "/w: symbol lookup error: /w: undefined symbol: cuGreenCtxCreate, version x\n";
        insta::assert_snapshot!(told(symbol), @r"
        the NVIDIA driver is older than the CUDA that the worker was built with: it has no cuGreenCtxCreate
        -> update the driver, or build the worker with an older CUDA
        ");
        let glibc = "/w: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /w)\n";
        insta::assert_snapshot!(told(glibc), @r"
        this system has no GLIBC_2.38, and the worker was built on a newer one
        -> build the worker on this machine with scripts/build-cuda-worker
        ");
        let blas = "/w: symbol lookup error: /w: undefined symbol: cublasLtMatmul";
        insta::assert_snapshot!(told(blas), @r"
        a library with cublasLtMatmul in it cannot be loaded, which the worker for real cards needs besides the driver
        -> name the folder of the CUDA libraries as library_path under [cuda] in settings.toml, or build the worker again with scripts/build-cuda-worker
        ");
    }

    #[test]
    fn a_file_that_cannot_be_run_here_is_told_so_however_it_is_said() {
        let shell = "sh: 1: exec: /w: Exec format error";
        assert_eq!(Trouble::of_words(shell, ""), Trouble::OtherMachine);
        let errors = [
            (8, Trouble::OtherMachine),
            (13, Trouble::NotExecutable),
            (2, Trouble::NotThere),
        ];
        for (number, trouble) in errors {
            let error = io::Error::from_raw_os_error(number);
            assert_eq!(Trouble::of_error(&error), trouble);
        }
        let ssh = "bash: line 1: warpup-worker-cuda: command not found";
        assert_eq!(Trouble::of_words(ssh, ""), Trouble::NotThere);
    }

    #[test]
    fn the_first_line_that_makes_sense_counts_and_anything_else_is_an_end() {
        let said = format!(
            "Warning: added gpubox to known hosts\n{}",
            loader("libcuda.so.1")
        );
        insta::assert_snapshot!(told(&said), @r"
        libcuda.so.1 is missing: no NVIDIA driver is installed here, or it is not let into this container
        -> warpup doctor says what is missing
        ");
        insta::assert_snapshot!(told("ssh: connect to host gpubox port 22: refused"), @r"
        the worker for real cards ended with exit status 127 before it was ready
        -> warpup doctor looks at what it needs
        ");
        let silent = Trouble::Silent {
            after: Duration::from_mins(1),
        };
        insta::assert_snapshot!(silent.reason("", "").why, @"the card was not ready after 60 s: its driver may hang, or wait for somebody");
        let version = Trouble::OtherVersion { theirs: Some(9) };
        insta::assert_snapshot!(version.reason("", "").why, @"the worker for real cards speaks version 9 of the protocol, the app 1");
    }
}
