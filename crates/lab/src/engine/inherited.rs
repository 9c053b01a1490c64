//! Which variables of the app's environment a worker gets. The others may hold secrets, and a lab needs none of them.

use std::ffi::OsString;

/// Who gets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inheritance {
    /// The worker for the CPU and modelled cards: where programs and libraries are.
    Host,
    /// The worker for real cards: what the driver reads as well.
    Cards,
    /// What starts a worker elsewhere, such as `ssh` or `srun`: everything. It is no lab, and needs its keys and jobs.
    Launcher,
}

/// Where programs and libraries are, and how memory is allocated.
const EVERY_WORKER: [&str; 3] = ["PATH", "LD_*", "MALLOC_*"];

/// What CUDA and its libraries read. The driver keeps compiled kernels below the home folder, MPS its pipes below the
/// temporary one. `STAND_IN_CUDA` is read by the driver of our tests.
const CARDS: [&str; 8] = [
    "CUDA_*",
    "NVIDIA_*",
    "CUBLAS_*",
    "NVSHMEM_*",
    "HOME",
    "XDG_CACHE_HOME",
    "TMPDIR",
    "STAND_IN_CUDA",
];

impl Inheritance {
    /// Whether a variable is passed on.
    fn has(self, name: &str) -> bool {
        let is_named = |it: &str| match it.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => name == it,
        };
        match self {
            Self::Host => EVERY_WORKER.iter().any(|it| is_named(it)),
            Self::Cards => EVERY_WORKER.iter().chain(&CARDS).any(|it| is_named(it)),
            Self::Launcher => true,
        }
    }

    /// Those of this process that are passed on.
    pub(super) fn variables(self) -> impl Iterator<Item = (OsString, OsString)> {
        std::env::vars_os().filter(move |(name, _)| {
            self == Self::Launcher || name.to_str().is_some_and(|it| self.has(it))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_gets_no_variable_that_it_does_not_need() {
        let secrets = [
            "AWS_SECRET_ACCESS_KEY",
            "SSH_AUTH_SOCK",
            "USER",
            "XPATH",
            "MY_CUDA_KEY",
            "",
        ];
        for name in secrets {
            assert!(!Inheritance::Host.has(name), "{name}");
            assert!(!Inheritance::Cards.has(name), "{name}");
            assert!(Inheritance::Launcher.has(name), "{name}");
        }
        for name in ["PATH", "LD_LIBRARY_PATH", "MALLOC_ARENA_MAX"] {
            assert!(
                Inheritance::Host.has(name) && Inheritance::Cards.has(name),
                "{name}"
            );
        }
        for name in ["CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "HOME"] {
            assert!(
                !Inheritance::Host.has(name) && Inheritance::Cards.has(name),
                "{name}"
            );
        }
    }
}
