//! The variables that CUDA, cuBLAS and PyTorch read from the environment: those that the program sets, and those of the shell.
//!
//! CUDA and PyTorch's allocator read theirs when the program first asks for a card, and never again.

use super::context::Context;
use crate::device::AllocatorOptions;
use crate::error::TorchError;
use std::cell::{Cell, RefCell};
use warpup_protocol::Clock;

/// The UUID of a modelled card: the word in its numbers.
pub(super) const MODELLED_UUID: &str = "GPU-6d6f6465-6c6c-6564-0000-000000000000";

/// What was set and is not read yet.
#[derive(Default)]
pub(super) struct Variables {
    /// `PYTORCH_ALLOC_CONF`, and `PYTORCH_CUDA_ALLOC_CONF`, which counts without it.
    allocator: RefCell<[Option<String>; 2]>,
    is_allocator_set: Cell<bool>,
    is_blocking: Cell<bool>,
}

impl Context {
    /// Takes over what the program sees of the shell.
    pub(super) fn read_shell(&self) {
        let Some(place) = &self.program.place else {
            return;
        };
        for (name, value) in &place.environment {
            // On a real card, the worker itself has read it, and numbers what it shows from 0.
            let is_read = name == "CUDA_VISIBLE_DEVICES" && self.engine.clock() == Clock::Measured;
            if !is_read {
                self.set_variable(name, Some(value));
            }
        }
        if let Some(list) = place.environment.get("CUDA_VISIBLE_DEVICES")
            && self.engine.clock() == Clock::Modelled
            && !shows_card(list)
        {
            self.reporter.note(format!(
                "the shell sets CUDA_VISIBLE_DEVICES to `{list}`, which hides the modelled card from the program: its number is 0"
            ));
        }
    }

    /// A variable has this value from now on, or none.
    pub(super) fn set_variable(&self, name: &str, value: Option<&str>) {
        match name {
            "CUDA_VISIBLE_DEVICES" => {
                // The UUID of a real card is not known here.
                let is_real = self.engine.clock() == Clock::Measured;
                let named = |it: &str| is_real && it.starts_with("GPU-");
                let is_seen = value.is_none_or(|it| shows_card(it) || named(it));
                self.card.set(self.card.get().set(is_seen));
            }
            "CUDA_LAUNCH_BLOCKING" => self.variables.is_blocking.set(value == Some("1")),
            "PYTORCH_ALLOC_CONF" => self.set_allocator(0, value),
            "PYTORCH_CUDA_ALLOC_CONF" => self.set_allocator(1, value),
            "TORCH_CUBLAS_WORKSPACE_CACHE" => {
                if let Some(workspaces) = self.engine.device().blas_workspaces() {
                    workspaces.keep(value == Some("1"));
                }
            }
            "CUBLAS_WORKSPACE_CONFIG" => {
                self.engine.set_cublas_config(value);
                if let (Some(bytes), Some(workspaces)) = (
                    value.and_then(cublas_bytes),
                    self.engine.device().blas_workspaces(),
                ) {
                    workspaces.configure(bytes);
                }
            }
            _ => {}
        }
    }

    fn set_allocator(&self, which: usize, value: Option<&str>) {
        if let Some(text) = self.variables.allocator.borrow_mut().get_mut(which) {
            *text = value.map(str::to_owned);
        }
    }

    /// CUDA reads its variables: the program asks for a card for the first time.
    pub(super) fn read_by_cuda(&self) {
        self.engine
            .set_launch_blocking(self.variables.is_blocking.get());
    }

    /// PyTorch's allocator reads its options: the program uses a card that it sees.
    pub(super) fn configure_allocator(&self) -> Result<(), TorchError> {
        if self.variables.is_allocator_set.get() {
            return Ok(());
        }
        let text = {
            let [first, second] = &*self.variables.allocator.borrow();
            first.clone().or_else(|| second.clone())
        };
        if let Some(text) = text {
            let options = AllocatorOptions::parse(&text)?;
            let mut device = self.engine.device();
            if let Some(memory) = device.cached_memory()
                && !memory.configure(options)
            {
                self.reporter.note(format!(
                    "`{text}` changes nothing on a real card: its memory comes from the driver's pool, not from PyTorch's allocator"
                ));
            }
        }
        self.variables.is_allocator_set.set(true);
        Ok(())
    }
}

/// Bytes that `CUBLAS_WORKSPACE_CONFIG` gives: sizes in KiB and how many of each, as in `:4096:2:16:8`.
fn cublas_bytes(config: &str) -> Option<u64> {
    let numbers = config.split(':').skip(1).filter_map(|it| it.parse().ok());
    let numbers: Vec<u64> = numbers.collect();
    let pairs = numbers.chunks_exact(2).map(|it| it.iter().product::<u64>());
    (numbers.len() > 1).then(|| pairs.sum::<u64>() << 10)
}

/// Whether a list in `CUDA_VISIBLE_DEVICES` shows the card of the run, which is number 0 of one. The rules are those of
/// `torch.cuda._parse_visible_devices`: the list ends at the first card that is not there, and one that names a card twice is empty.
fn shows_card(list: &str) -> bool {
    let entries = || list.split(',').map(str::trim);
    for prefix in ["GPU-", "MIG-"] {
        if list.starts_with(prefix) {
            let named: Vec<&str> = entries().take_while(|it| it.starts_with(prefix)).collect();
            let mut own = named
                .iter()
                .take_while(|it| MODELLED_UUID.starts_with(**it));
            return !has_twice(&named) && own.next().is_some() && own.next().is_none();
        }
    }
    let numbers = entries().map(leading_number).take_while(|it| *it >= 0);
    let numbers: Vec<i64> = numbers.collect();
    !has_twice(&numbers) && numbers.first() == Some(&0)
}

fn has_twice<T: PartialEq>(all: &[T]) -> bool {
    let mut all = all.iter().enumerate();
    let rest = all.clone();
    all.any(|(at, it)| rest.clone().skip(at + 1).any(|(_, other)| other == it))
}

/// The number that a text begins with, as `strtoul` reads it; -1 if there is none.
fn leading_number(text: &str) -> i64 {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = unsigned.find(|it: char| !it.is_ascii_digit());
    let digits = unsigned.get(..end.unwrap_or(unsigned.len()));
    let number = digits.and_then(|it| it.parse::<i64>().ok()).unwrap_or(-1);
    if text.starts_with('-') { -1 } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_shows_the_card_as_cuda_reads_it() {
        for list in [
            "0",
            "00",
            " 0",
            "0,1",
            "0,2,-1,1",
            "0gpu",
            "+0",
            "GPU-6d6f",
            MODELLED_UUID,
        ] {
            assert!(shows_card(list), "{list}");
        }
        for list in [
            "",
            "-1",
            "1",
            "1,0",
            "0,0",
            "0,1,1",
            "-0",
            "NoDevFiles",
            "GPU-ffff",
            "MIG-6d6f",
            "GPU-6d6f,GPU-6d",
            "GPU-6d6f,GPU-6d6f",
        ] {
            assert!(!shows_card(list), "{list}");
        }
    }

    #[test]
    fn cublas_has_the_sum_of_its_buffers() {
        assert_eq!(cublas_bytes(":4096:2:16:8"), Some((8192 + 128) << 10));
        assert_eq!(cublas_bytes(":4096"), None);
        assert_eq!(cublas_bytes(""), None);
    }
}
