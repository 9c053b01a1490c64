//! Copies between host and card, and page-locked host memory.
//!
//! candle copies whole storages; these copy only the part that a contiguous tensor views.

use super::failure::{CudaFailure, in_candle};
use crate::device::tensor_device::fits_on_card;
use crate::error::TorchError;
use candle_core::backend::BackendStorage;
use candle_core::cuda::cudarc::driver::{CudaStream, DriverError, sys};
use candle_core::cuda::{CudaDevice, CudaStorage, CudaStorageSlice as Card};
use candle_core::op::BackpropOp;
use candle_core::{CpuStorage as Host, InplaceOp1, Layout, Storage, Tensor as Values};
use std::sync::Arc;

fn error(error: DriverError) -> TorchError {
    CudaFailure::from(error).into()
}

fn no_such_type(what: &Values) -> TorchError {
    TorchError::runtime(format!(
        "internal error in warpup: no tensor is stored as {:?}",
        what.dtype()
    ))
}

/// The part of its storage that a contiguous tensor views.
fn range(layout: &Layout) -> std::ops::Range<usize> {
    let start = layout.start_offset();
    start..start + layout.shape().elem_count()
}

/// The same code for each type that a tensor can be stored as.
macro_rules! each_type {
    ($storage:expr, $from:ident, $what:expr, |$slice:ident, $wrap:ident| $do:expr, $to:ident) => {
        match $storage {
            $from::U8($slice) => {
                let $wrap = $to::U8;
                $do
            }
            $from::U32($slice) => {
                let $wrap = $to::U32;
                $do
            }
            $from::I16($slice) => {
                let $wrap = $to::I16;
                $do
            }
            $from::I32($slice) => {
                let $wrap = $to::I32;
                $do
            }
            $from::I64($slice) => {
                let $wrap = $to::I64;
                $do
            }
            $from::BF16($slice) => {
                let $wrap = $to::BF16;
                $do
            }
            $from::F16($slice) => {
                let $wrap = $to::F16;
                $do
            }
            $from::F32($slice) => {
                let $wrap = $to::F32;
                $do
            }
            $from::F64($slice) => {
                let $wrap = $to::F64;
                $do
            }
            $from::F8E4M3(_)
            | $from::F6E2M3(_)
            | $from::F6E3M2(_)
            | $from::F4(_)
            | $from::F8E8M0(_) => return Err(no_such_type($what)),
        }
    };
}

/// Queues a copy of host values to the card; the host memory has to live until the copy is done.
pub(super) fn to_card(
    values: &Values,
    to: &CudaDevice,
    stream: &Arc<CudaStream>,
) -> Result<Values, TorchError> {
    let (storage, layout) = values.storage_and_layout();
    let Storage::Cpu(host) = &*storage else {
        return Ok(values.clone());
    };
    if !fits_on_card(values.dtype(), values.elem_count()) {
        return Ok(values.force_contiguous()?);
    }
    let range = range(layout);
    let slice = each_type!(
        host,
        Host,
        values,
        |all, wrap| {
            let seen = all.get(range.clone()).unwrap_or_default();
            wrap(stream.clone_htod(seen).map_err(error)?)
        },
        Card
    );
    let storage = Storage::Cuda(CudaStorage {
        slice,
        device: to.clone(),
    });
    Ok(Values::from_storage(
        storage,
        values.shape(),
        BackpropOp::none(),
        false,
    ))
}

/// Copies values of the card to new host memory, and waits for the copy.
pub(super) fn to_host(values: &Values, stream: &Arc<CudaStream>) -> Result<Values, TorchError> {
    let (storage, layout) = values.storage_and_layout();
    let Storage::Cuda(card) = &*storage else {
        return Ok(values.force_contiguous()?);
    };
    let range = range(layout);
    let host = each_type!(
        &card.slice,
        Card,
        values,
        |all, wrap| {
            wrap(
                stream
                    .clone_dtoh(&all.slice(range.clone()))
                    .map_err(error)?,
            )
        },
        Host
    );
    // The driver may return before a copy to pageable memory is done.
    stream.synchronize().map_err(error)?;
    Ok(Values::from_storage(
        Storage::Cpu(host),
        values.shape(),
        BackpropOp::none(),
        false,
    ))
}

/// Page-locked host memory, with the values in it; unlocked when it is dropped.
#[derive(Debug)]
pub(super) struct PinnedMemory {
    values: Values,
    start: usize,
    bytes: usize,
}

impl PinnedMemory {
    /// Locks the pages of these values (`cuMemHostRegister`).
    pub(super) fn of(values: &Values) -> Result<Self, TorchError> {
        let (start, bytes) = range_of(values)?;
        if bytes > 0 {
            #[expect(unsafe_code, reason = "cudarc has no safe call for it")]
            // SAFETY: the memory is that of values which live as long as this does.
            let locked = unsafe { sys::cuMemHostRegister_v2(start as *mut _, bytes, 0) };
            locked.result().map_err(error)?;
        }
        let values = values.clone();
        Ok(Self {
            values,
            start,
            bytes,
        })
    }

    /// Whether these values lie in this memory.
    pub(super) fn contains(&self, values: &Values) -> bool {
        let inside = |(start, bytes): (usize, usize)| {
            start >= self.start && start + bytes <= self.start + self.bytes
        };
        range_of(values).is_ok_and(inside)
    }

    /// Copies values of the card into this memory, and waits for the copy.
    pub(super) fn fill(
        &self,
        from: &Values,
        stream: &Arc<CudaStream>,
    ) -> Result<Values, TorchError> {
        self.values.inplace_op1(&CopyFromCard { from, stream })?;
        Ok(self.values.clone())
    }
}

impl Drop for PinnedMemory {
    fn drop(&mut self) {
        if self.bytes > 0 {
            #[expect(unsafe_code, reason = "cudarc has no safe call for it")]
            // SAFETY: it was locked when this was made, and the values still live. After an error of the
            // context the call fails, and the end of the process unlocks it.
            let _ = unsafe { sys::cuMemHostUnregister(self.start as *mut _) };
        }
    }
}

/// The address and the size in bytes of values in host memory.
fn range_of(values: &Values) -> Result<(usize, usize), TorchError> {
    let (storage, layout) = values.storage_and_layout();
    let Storage::Cpu(host) = &*storage else {
        return Err(TorchError::runtime(
            "internal error in warpup: only host memory can be page-locked",
        ));
    };
    let range = range(layout);
    let address_and_size = each_type!(
        host,
        Host,
        values,
        |all, _wrap| {
            let seen = all.get(range.clone()).unwrap_or_default();
            (seen.as_ptr() as usize, size_of_val(seen))
        },
        Host
    );
    Ok(address_and_size)
}

/// An in-place operation of candle's that overwrites host values with values of a card.
struct CopyFromCard<'a> {
    from: &'a Values,
    stream: &'a Arc<CudaStream>,
}

impl InplaceOp1 for CopyFromCard<'_> {
    fn name(&self) -> &'static str {
        "copy to page-locked memory"
    }

    fn cpu_fwd(&self, into: &mut Host, layout: &Layout) -> candle_core::Result<()> {
        let (storage, seen) = self.from.storage_and_layout();
        let Storage::Cuda(card) = &*storage else {
            candle_core::bail!("the values are not on a card")
        };
        let (from, to) = (range(seen), range(layout));
        macro_rules! copied {
            ($($kind:ident),*) => {
                match (&card.slice, into) {
                    $((Card::$kind(card), Host::$kind(host)) => {
                        let Some(host) = host.get_mut(to) else {
                            candle_core::bail!("the memory is too small")
                        };
                        self.stream.memcpy_dtoh(&card.slice(from), host)
                    })*
                    (card, into) => {
                        let _ = card;
                        candle_core::bail!("{:?} cannot be copied as it is", into.dtype())
                    }
                }
            };
        }
        let copied = copied!(U8, U32, I16, I32, I64, BF16, F16, F32, F64);
        let done = copied.and_then(|()| self.stream.synchronize());
        done.map_err(in_candle)
    }
}
