//! Many tensors in one kernel: PyTorch's multi-tensor kernels, of which `foreach` and `fused` optimizers are made.
//!
//! The operations of a batch compute and hold memory one by one. On a modelled card they are launched together, and on a
//! real one those of `foreach`. A fused step is one kernel there ([`super::fused`]), or its operations follow each other.

use super::state::{Batch, Engine, ForeachMode};
use crate::device::{TensorDevice, Tf32, Work};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::card;
use crate::meta::{Cost, KernelKind};
use crate::trace::SpanName;
use std::rc::Rc;
use warpup_protocol::Lane;

/// What PyTorch's `MultiTensorApply.cuh` gives one block of threads to do, in elements.
const CHUNK: u64 = 65_536;

/// Blocks of one launch, from the same file.
const BLOCKS: u64 = 320;

/// Tensors of one launch, by how many lists it takes (`depth_to_max_tensors`).
const TENSORS: [u64; 5] = [110, 64, 48, 36, 30];

/// A launch over lists of tensors.
pub(crate) struct Launch<'a> {
    /// PyTorch's name of the operation.
    pub(crate) name: Rc<str>,
    /// How many lists it takes.
    pub(crate) lists: usize,
    /// The elements of each tensor of a list.
    pub(crate) sizes: &'a [u64],
    /// The bytes that it moves, where they are not those of its operations.
    pub(crate) bytes: Option<u64>,
}

impl Engine {
    /// Operations on a card are launched together from now on.
    pub(crate) fn begin_together(&self, how: ForeachMode) {
        let is_real = self.has_real_card();
        if is_real && how == ForeachMode::Foreach {
            card::begin();
        }
        if self.has_card() && (!is_real || how == ForeachMode::Foreach) {
            let cost = Cost::default();
            self.together.set(Some(Batch { how, cost }));
        }
    }

    /// Launches the operations since [`Engine::begin_together`].
    pub(crate) fn end_together(&self, launch: &Launch<'_>) -> Result<(), TorchError> {
        let Some(batch) = self.together.take() else {
            return Ok(());
        };
        if self.has_real_card() {
            return self.launch_together(launch, batch);
        }
        let most = TENSORS.get(launch.lists.saturating_sub(1)).copied();
        let kernels = kernels(launch.sizes, most.unwrap_or(TENSORS[4]));
        let device = TensorDevice::Card(0);
        let part = |all: u64| all / kernels.max(1);
        let work = Work {
            cost: Cost {
                flops: part(batch.cost.flops),
                bytes: part(launch.bytes.unwrap_or(batch.cost.bytes)),
            },
            dtype: DType::F32,
            kind: KernelKind::MultiTensor {
                tensors: part(launch.sizes.len() as u64),
            },
            tf32: Tf32::Off,
        };
        if self.is_compiled() {
            (0..kernels).for_each(|_| self.collect_batch("foreach", work));
            return Ok(());
        }
        for _ in 0..kernels {
            let begun = self.begin(device)?;
            let timing = self.backend.borrow_mut().end_op(device, work, begun);
            self.record(
                SpanName::Launch(Rc::clone(&launch.name)),
                Lane::Kernel,
                timing,
                work.cost,
            );
            self.after_launch(device)?;
        }
        Ok(())
    }

    /// Launches what waits on a real card.
    fn launch_together(&self, launch: &Launch<'_>, batch: Batch) -> Result<(), TorchError> {
        let device = TensorDevice::Card(0);
        let begun = self.begin(device)?;
        card::end()?;
        let work = Work::moving(batch.cost.bytes, DType::F32);
        let timing = self.backend.borrow_mut().end_op(device, work, begun);
        self.record(
            SpanName::Launch(Rc::clone(&launch.name)),
            Lane::Kernel,
            timing,
            batch.cost,
        );
        self.after_launch(device)
    }

    /// Takes an operation into the batch, if there is one; it is then not launched by itself.
    pub(super) fn joins(&self, device: TensorDevice, cost: Cost) -> bool {
        let Some(batch) = self.together.get().filter(|_| device != TensorDevice::Cpu) else {
            return false;
        };
        let cost = Cost {
            flops: batch.cost.flops.saturating_add(cost.flops),
            bytes: batch.cost.bytes.saturating_add(cost.bytes),
        };
        self.together.set(Some(Batch { cost, ..batch }));
        true
    }

    /// Whether a result stays in registers, and takes no memory of the card.
    pub(super) fn is_in_registers(&self, device: TensorDevice) -> bool {
        device != TensorDevice::Cpu
            && self
                .together
                .get()
                .is_some_and(|it| it.how == ForeachMode::Fused)
    }
}

/// How many kernels PyTorch launches for tensors of these sizes (`multi_tensor_apply`).
fn kernels(sizes: &[u64], most_tensors: u64) -> u64 {
    let (mut kernels, mut tensors, mut blocks) = (0, 0, 0);
    for size in sizes.iter().filter(|it| **it > 0) {
        tensors += 1;
        let mut chunks = size.div_ceil(CHUNK);
        while blocks + chunks >= BLOCKS {
            chunks -= BLOCKS - blocks;
            kernels += 1;
            blocks = 0;
            // The rest of this tensor is the first of the next kernel.
            tensors = u64::from(chunks > 0);
        }
        blocks += chunks;
        if tensors == most_tensors && blocks > 0 {
            kernels += 1;
            (tensors, blocks) = (0, 0);
        }
    }
    kernels + u64::from(blocks > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_takes_so_many_tensors_and_so_many_blocks() {
        assert_eq!(kernels(&[], 110), 0);
        assert_eq!(kernels(&[10; 110], 110), 1);
        assert_eq!(kernels(&[10; 111], 110), 2);
        assert_eq!(kernels(&[10; 145], 36), 5);
        // 20,971,520 elements are 320 blocks.
        assert_eq!(kernels(&[BLOCKS * CHUNK], 110), 1);
        assert_eq!(kernels(&[BLOCKS * CHUNK + 1], 110), 2);
        assert_eq!(kernels(&[200 * CHUNK, 200 * CHUNK, 0, 5], 110), 2);
        assert_eq!(kernels(&[1_000 * CHUNK], 110), 4);
    }
}
