//! What CUDA reports about cards without creating a context.

use super::failure::CudaFailure;
use crate::device::card_policy;
use candle_core::cuda::cudarc::driver::sys::{self, CUdevice, CUdevice_attribute as Attribute};
use candle_core::cuda::cudarc::driver::{CudaContext, DriverError, result};
use std::fmt::Write as _;
use warpup_protocol::{Clock, DeviceInfo, DeviceName};

/// A card (`cudaDeviceProp`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeviceProperties {
    /// CUDA's number of the card.
    pub(super) ordinal: u32,
    /// Its number in `cuda:N`: that of CUDA, counted without the cards that a policy does not allow.
    pub(super) number: u32,
    pub(super) name: String,
    /// `GPU-…`, as `nvidia-smi -L` writes it.
    pub(super) uuid: String,
    pub(super) capability: (u32, u32),
    pub(super) memory: u64,
    pub(super) multiprocessors: u32,
    pub(super) threads_per_multiprocessor: u32,
}

impl DeviceProperties {
    /// The cards that this process may use, in CUDA's order.
    pub(super) fn all() -> Result<Vec<Self>, CudaFailure> {
        result::init()?;
        let count = CudaContext::device_count()?;
        let cards = (0..count).map(|ordinal| Ok(Self::of(ordinal)?));
        let mut cards: Vec<_> = cards.collect::<Result<_, CudaFailure>>()?;
        cards.retain(|it| card_policy::is_allowed(&it.uuid));
        for (number, card) in (0..).zip(&mut cards) {
            card.number = number;
        }
        Ok(cards)
    }

    fn of(ordinal: i32) -> Result<Self, DriverError> {
        let device = result::device::get(ordinal)?;
        let whole =
            |attribute| Ok::<_, DriverError>(attribute_of(device, attribute)?.unsigned_abs());
        Ok(Self {
            ordinal: ordinal.unsigned_abs(),
            number: ordinal.unsigned_abs(),
            name: result::device::get_name(device)?,
            uuid: uuid(&result::device::get_uuid(device)?),
            capability: (
                whole(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
                whole(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            ),
            memory: memory_of(device)? as u64,
            multiprocessors: whole(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            threads_per_multiprocessor: whole(
                Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
            )?,
        })
    }

    /// Its description in the list of devices.
    fn info(&self) -> DeviceInfo {
        DeviceInfo {
            name: DeviceName::cuda(self.number),
            title: self.name.clone(),
            clock: Clock::Measured,
            memory_bytes: Some(self.memory),
        }
    }
}

/// The cards that this worker can run on; none if CUDA does not start.
pub(in crate::device) fn list() -> Vec<DeviceInfo> {
    let all = DeviceProperties::all().unwrap_or_default();
    all.iter().map(DeviceProperties::info).collect()
}

/// The UUID of the card with this number.
pub(in crate::device) fn uuid_of(number: u32) -> Option<String> {
    let all = DeviceProperties::all().ok()?;
    all.into_iter()
        .find(|it| it.number == number)
        .map(|it| it.uuid)
}

/// The newest CUDA that the driver supports, such as `13.0`.
pub(super) fn driver_cuda() -> Option<String> {
    let mut version = 0;
    #[expect(unsafe_code, reason = "cudarc has no safe call for it")]
    // SAFETY: the pointer is to a whole number that outlives the call.
    let answer = unsafe { sys::cuDriverGetVersion(&raw mut version) };
    answer.result().ok()?;
    Some(format!("{}.{}", version / 1000, version % 1000 / 10))
}

#[expect(unsafe_code, reason = "cudarc has no safe call without a context")]
fn attribute_of(device: CUdevice, attribute: Attribute) -> Result<i32, DriverError> {
    // SAFETY: the device came from the driver.
    unsafe { result::device::get_attribute(device, attribute) }
}

#[expect(unsafe_code, reason = "cudarc has no safe call without a context")]
fn memory_of(device: CUdevice) -> Result<usize, DriverError> {
    // SAFETY: the device came from the driver.
    unsafe { result::device::total_mem(device) }
}

/// A UUID as `nvidia-smi -L` writes it.
fn uuid(uuid: &sys::CUuuid) -> String {
    let mut text = "GPU-".to_owned();
    for (at, byte) in uuid.bytes.iter().enumerate() {
        if [4, 6, 8, 10].contains(&at) {
            text.push('-');
        }
        // Writing to a String does not fail.
        let _ = write!(text, "{:02x}", *byte as u8);
    }
    text
}
