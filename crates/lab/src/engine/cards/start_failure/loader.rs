//! Reads the messages of the dynamic loader and of shells.

use super::StartFailure;

impl StartFailure {
    /// The cause in the standard error of a worker that ended before its first reply.
    pub(crate) fn of_stderr(stderr: &str, how: &str) -> Self {
        let causes = [missing_library, missing_symbol, newer_system, shell_error];
        let mut found = stderr
            .lines()
            .filter_map(|line| causes.iter().find_map(|cause| cause(line)));
        found.next().unwrap_or_else(|| Self::Ended {
            how: how.to_owned(),
        })
    }
}

/// `…: error while loading shared libraries: libcuda.so.1: cannot open shared object file: …`, by glibc, and
/// `Error loading shared library libcuda.so.1: …`, by musl.
fn missing_library(line: &str) -> Option<StartFailure> {
    let (_, rest) = line
        .split_once("error while loading shared libraries: ")
        .or_else(|| line.split_once("Error loading shared library "))?;
    let library = rest.split(": ").next()?.trim();
    let name = library.rsplit('/').next()?.to_owned();
    Some(match newer_system(line) {
        Some(version) => version,
        None if name.starts_with("libcuda.") || name.starts_with("libnvidia-") => {
            StartFailure::NoDriver { library: name }
        }
        None => StartFailure::NoLibrary { library: name },
    })
}

/// `…: symbol lookup error: …: undefined symbol: cuGreenCtxCreate`, and musl's `Error relocating …: cuX: symbol
/// not found`.
fn missing_symbol(line: &str) -> Option<StartFailure> {
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
        return Some(StartFailure::OldDriver { symbol });
    }
    let library = format!("a library with {symbol} in it");
    Some(StartFailure::NoLibrary { library })
}

/// ``…/libc.so.6: version `GLIBC_2.38' not found (required by …)``
fn newer_system(line: &str) -> Option<StartFailure> {
    let (before, _) = line.split_once("' not found")?;
    let (_, version) = before.rsplit_once("version `")?;
    Some(StartFailure::OldSystem {
        version: version.to_owned(),
    })
}

/// The error of a shell, here or behind a launcher.
fn shell_error(line: &str) -> Option<StartFailure> {
    let line = line.trim_end();
    if line.ends_with("Exec format error") || line.ends_with("wrong ELF class: ELFCLASS32") {
        Some(StartFailure::OtherMachine)
    } else if line.ends_with(": Permission denied") {
        Some(StartFailure::NotExecutable)
    } else if line.ends_with("command not found") || line.ends_with(": not found") {
        Some(StartFailure::NotThere)
    } else {
        None
    }
}
