//! Memory that an operation needs besides its tensors: what the libraries of NVIDIA work in, and what they keep.

use super::state::Engine;
use crate::device::{BlasHandle, BlasThread, TensorDevice, Tf32, WorkspaceNeed};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::meta::{BlasLibrary, ConvolutionMemory, CudnnMemory};
use crate::tensor::Charge;
use warpup_protocol::Purpose;

/// The least that is tried where a workspace has no room.
const SMALLEST: u64 = 1 << 20;

/// The libraries of an operation, and what they need.
#[derive(Clone, Copy, Debug)]
pub(super) struct LibraryCalls {
    pub(super) blas: Option<BlasLibrary>,
    pub(super) cudnn: Option<CudnnMemory>,
    /// The type that the operation computes in.
    pub(super) dtype: DType,
    pub(super) tf32: Tf32,
}

/// What was taken for an operation.
#[derive(Debug, Default)]
pub(super) struct LibraryCharges {
    /// Until the operation is queued: memory that is free for the host is used by the stream only after that.
    pub(super) workspace: Option<Charge>,
    /// Until backward has run.
    pub(super) reserve: Option<Charge>,
}

impl Engine {
    /// Takes what the libraries of an operation need.
    pub(super) fn library_memory(
        &self,
        calls: LibraryCalls,
        device: TensorDevice,
    ) -> Result<LibraryCharges, TorchError> {
        if device == TensorDevice::Cpu {
            return Ok(LibraryCharges::default());
        }
        if calls.blas.is_some() {
            self.note_product();
        }
        match calls.cudnn {
            Some(CudnnMemory::Convolution(memory)) => {
                let workspace = self.convolution_workspace(memory, &calls, device)?;
                Ok(LibraryCharges {
                    workspace,
                    reserve: None,
                })
            }
            Some(CudnnMemory::Recurrent(memory)) if self.has_cudnn() => {
                let take = |purpose, bytes: u64| {
                    let taken = (bytes > 0).then(|| self.charge_for(purpose, device, bytes));
                    taken.transpose()
                };
                Ok(LibraryCharges {
                    reserve: take(Purpose::Activations, memory.reserve)?,
                    workspace: take(Purpose::CudnnWorkspace, memory.workspace)?,
                })
            }
            Some(CudnnMemory::Recurrent(_)) | None => Ok(LibraryCharges {
                workspace: self.blas_workspace(calls.blas, device)?,
                reserve: None,
            }),
        }
    }

    /// Whether the memory of cuDNN is modelled, and the program lets PyTorch call it.
    fn has_cudnn(&self) -> bool {
        let mut device = self.backend.borrow_mut();
        device.cudnn_workspaces().is_some_and(|it| it.are_enabled())
    }

    fn blas_workspace(
        &self,
        library: Option<BlasLibrary>,
        device: TensorDevice,
    ) -> Result<Option<Charge>, TorchError> {
        let Some(library) = library else {
            return Ok(None);
        };
        let (bytes, stream, kept) = {
            let mut device = self.backend.borrow_mut();
            let stream = device.streams().map_or(0, |it| it.current_stream());
            let Some(workspaces) = device.blas_workspaces() else {
                return Ok(None);
            };
            let thread = self.thread.get();
            workspaces.note(BlasHandle { thread, stream }, library);
            (workspaces.bytes(library), stream, workspaces.are_kept())
        };
        if bytes == 0 {
            return Ok(None);
        }
        if !kept {
            let taken = self.charge_for(Purpose::Workspace, device, bytes);
            return taken.map(Some);
        }
        let fits = |it: &Charge| it.bytes() >= bytes;
        if !self.workspaces.borrow().get(&stream).is_some_and(fits) {
            let taken = self.charge_for(Purpose::Workspace, device, bytes)?;
            // The smaller one goes when nothing is borrowed.
            let _smaller = self.workspaces.borrow_mut().insert(stream, taken);
        }
        Ok(None)
    }

    /// Without room for a workspace, PyTorch takes an algorithm that needs less: it never runs out of memory for it.
    fn convolution_workspace(
        &self,
        memory: ConvolutionMemory,
        calls: &LibraryCalls,
        device: TensorDevice,
    ) -> Result<Option<Charge>, TorchError> {
        let need = {
            let mut device = self.backend.borrow_mut();
            let Some(cudnn) = device.cudnn_workspaces() else {
                return Ok(None);
            };
            cudnn.need(memory, calls.dtype, calls.tf32 == Tf32::Allowed)
        };
        let WorkspaceNeed { trial, usual, most } = need;
        let line = self.line();
        let bound = trial.unwrap_or(most);
        let fits = self.has_room(bound);
        self.ledger.borrow_mut().bound(bound, fits, line);
        if let Some(bytes) = trial.map(|it| self.halved_until_it_fits(it))
            && bytes > 0
        {
            drop(self.charge_for(Purpose::CudnnWorkspace, device, bytes)?);
            self.empty_cache();
        }
        if usual == 0 || !self.has_room(usual) {
            return Ok(None);
        }
        self.charge_for(Purpose::CudnnWorkspace, device, usual)
            .map(Some)
    }

    /// As PyTorch does before it tries algorithms (`generate_and_filter_plans`).
    fn halved_until_it_fits(&self, mut bytes: u64) -> u64 {
        while bytes > 0 && !self.has_room(bytes) {
            bytes = if bytes < SMALLEST { 0 } else { bytes / 2 };
        }
        bytes
    }

    fn has_room(&self, bytes: u64) -> bool {
        let mut device = self.backend.borrow_mut();
        device
            .cached_memory()
            .is_none_or(|it| bytes == 0 || it.has_room(bytes))
    }

    /// Frees the workspaces that are kept (`torch._C._cuda_clearCublasWorkspaces`).
    pub(crate) fn clear_workspaces(&self) {
        drop(self.workspaces.take());
    }

    /// Does what PyTorch does in the thread of backward.
    pub(crate) fn in_backward_thread<R>(&self, work: impl FnOnce() -> R) -> R {
        let before = self.thread.replace(BlasThread::Backward);
        let done = work();
        self.thread.set(before);
        done
    }
}
