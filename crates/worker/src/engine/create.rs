//! Tensors from nothing but values: given, filled, drawn.

use super::compiled::WriteMode;
use super::state::{CountedMemory, Engine};
use crate::device::fits_on_card;
use crate::device::{Blocking, Direction, HostMemory, TensorDevice, Transfer, Work};
use crate::dtype::{Category, DType, default_float};
use crate::error::TorchError;
use crate::kernels::elementwise::in_range;
use crate::kernels::{card, fast};
use crate::meta::{Cost, Meta};
use crate::tensor::{State, Tensor};
use candle_core::{Device as Candle, Tensor as Values};
use warpup_protocol::{Lane, Purpose, WaitCause};

/// Values for a new tensor.
pub(crate) enum Fill<'a> {
    /// Values that are in host memory, such as a list's.
    Values(&'a Make<'a>),
    /// One number everywhere, which every device writes by itself; made only if it is kept.
    Full(&'a Make<'a>),
    /// Values that every device makes by itself, such as evenly spaced numbers; made only if they are kept.
    Made(&'static str, &'a Make<'a>),
    /// Random numbers, by PyTorch's name of the function, which every device draws by itself; made only if they are kept.
    Drawn(&'static str, &'a Make<'a>),
    /// Values that a card finds by itself in PyTorch, and the host here, such as positions; made only if they are kept. To a
    /// real card they are copied.
    Found(&'static str, &'a Make<'a>),
    /// Memory as it was left, which no kernel writes; the values are stand-ins for whatever would be there.
    Left(&'a Make<'a>),
}

/// Makes values where candle is to keep them.
pub(crate) type Make<'a> = dyn Fn(&Candle) -> Result<Values, TorchError> + 'a;

/// How new values come to where they are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CreationPath {
    /// A kernel writes them there.
    Kernel,
    /// They are made on the host and copied.
    Copy,
}

impl Engine {
    /// Makes a tensor from nothing but values.
    pub(crate) fn create(
        &self,
        meta: Meta,
        device: TensorDevice,
        fill: &Fill<'_>,
    ) -> Result<Tensor, TorchError> {
        if let Fill::Left(_) = fill {
            // No kernel runs, yet a card has to be there.
            self.begin(device)?;
        }
        let charge = self.charge(device, meta.bytes())?;
        let value = match fill {
            Fill::Left(make) => self.kept(&meta, device, make)?,
            Fill::Values(_)
            | Fill::Full(_)
            | Fill::Made(..)
            | Fill::Drawn(..)
            | Fill::Found(..) => self.written(&meta, device, fill)?,
        };
        charge.hold_for(Purpose::Inputs);
        let state = State::new(meta, device, charge, value.clone());
        if !matches!(fill, Fill::Left(_)) {
            self.queued_new(&state);
        }
        let tensor = Tensor::new(self.next_id(), state);
        if self.captures(device) {
            self.capture_fill(&tensor, fill, value)?;
        }
        let name = match fill {
            Fill::Values(_) | Fill::Left(_) => None,
            Fill::Full(_) => Some("full"),
            Fill::Made(name, _) | Fill::Drawn(name, _) | Fill::Found(name, _) => Some(*name),
        };
        if let Some(name) = name.filter(|_| self.collects(device)) {
            let work = work_of(fill, &tensor.meta());
            self.collect((name, work), &[], &tensor, WriteMode::New);
        }
        Ok(tensor)
    }

    /// Gives a tensor one number everywhere.
    pub(crate) fn number_in_place(
        &self,
        into: &Tensor,
        number: f64,
        function: &'static str,
    ) -> Result<(), TorchError> {
        let meta = into.meta();
        let own = into.own_values().filter(|_| number.to_bits() == 0);
        let make = |on: &Candle| match &own {
            Some(own) => {
                card::clear(own)?;
                Ok(own.clone())
            }
            None => full_values(&meta, number, on),
        };
        self.fill_in_place(into, &Fill::Full(&make), function)
    }

    pub(crate) fn full(
        &self,
        meta: Meta,
        device: TensorDevice,
        number: f64,
    ) -> Result<Tensor, TorchError> {
        let like = meta.clone();
        let make = |on: &Candle| full_values(&like, number, on);
        self.create(meta, device, &Fill::Full(&make))
    }

    /// New values on a device, if they are kept, and the time that takes.
    pub(super) fn written(
        &self,
        meta: &Meta,
        device: TensorDevice,
        fill: &Fill<'_>,
    ) -> Result<Option<Values>, TorchError> {
        let real = self.has_real_card();
        let (name, make, way) = match (fill, device) {
            (Fill::Values(make), TensorDevice::Card(_)) => ("tensor", make, CreationPath::Copy),
            (Fill::Found(name, make), TensorDevice::Card(_)) if real => {
                (*name, make, CreationPath::Copy)
            }
            (Fill::Drawn(name, make), TensorDevice::Card(_)) if real => {
                (*name, make, CreationPath::Kernel)
            }
            (Fill::Drawn(_, make), _) => ("random", make, CreationPath::Kernel),
            (Fill::Values(make), TensorDevice::Cpu) => ("tensor", make, CreationPath::Kernel),
            (Fill::Full(make), _) => ("fill", make, CreationPath::Kernel),
            (Fill::Left(make), _) => ("empty", make, CreationPath::Kernel),
            (Fill::Made(name, make) | Fill::Found(name, make), _) => {
                (*name, make, CreationPath::Kernel)
            }
        };
        let bytes = meta.bytes();
        let cost = Cost::moving(bytes);
        let values = |on: &Candle| match fill {
            Fill::Values(make) => make(on).map(Some),
            Fill::Drawn(..) if self.captures(device) => self.before_replay(meta, device),
            Fill::Full(_) | Fill::Made(..) | Fill::Drawn(..) | Fill::Found(..) | Fill::Left(_) => {
                self.if_kept((meta, device, cost), || make(on))
            }
        };
        match way {
            CreationPath::Kernel => {
                let begun = self.begin(device)?;
                let value = values(&self.home_of(meta, device))?;
                let work = work_of(fill, meta);
                let timing = self.backend.borrow_mut().end_op(device, work, begun);
                self.record(name, Lane::Kernel, timing, cost);
                self.after_launch(device)?;
                Ok(value)
            }
            CreationPath::Copy => {
                let transfer = Transfer {
                    direction: Direction::In,
                    bytes,
                    memory: HostMemory::Pageable,
                    blocking: Blocking::Yes,
                    is_weight: false,
                };
                let host = values(&Candle::Cpu)?;
                self.moved((name, WaitCause::Tensor), device, transfer, || {
                    let copy = |it| self.backend.borrow_mut().copy(&it, device, transfer);
                    host.map(copy).transpose()
                })
            }
        }
    }

    /// Makes a tensor that holds memory and costs no kernel of its own, such as the mask of a dropout, which the
    /// dropout's kernel writes beside its result.
    pub(crate) fn beside(
        &self,
        meta: Meta,
        device: TensorDevice,
        make: &Make<'_>,
    ) -> Result<Tensor, TorchError> {
        let work = Work::moving(meta.bytes(), meta.dtype);
        let charge = if self.may_stay_in_registers(device, work.kind) {
            self.no_memory()
        } else {
            self.charge(device, meta.bytes())?
        };
        let value = self.kept(&meta, device, make)?;
        let state = State::new(meta, device, charge, value.clone());
        let tensor = Tensor::new(self.next_id(), state);
        if self.captures(device) {
            self.capture_fill(&tensor, &Fill::Left(make), value)?;
        }
        if self.collects(device) {
            self.collect(("bernoulli", work), &[], &tensor, WriteMode::New);
        }
        Ok(tensor)
    }

    /// Values that no kernel writes, if they are kept.
    pub(super) fn kept(
        &self,
        meta: &Meta,
        device: TensorDevice,
        make: &Make<'_>,
    ) -> Result<Option<Values>, TorchError> {
        let cost = Cost::moving(meta.bytes());
        self.if_kept((meta, device, cost), || make(&self.home_of(meta, device)))
    }

    /// Where candle keeps such values of this device.
    fn home_of(&self, meta: &Meta, device: TensorDevice) -> Candle {
        let fits = fits_on_card(meta.dtype.stored(), meta.count() as usize);
        if fits || !self.has_real_card() {
            self.values(device)
        } else {
            Candle::Cpu
        }
    }

    /// Whether there is a card that is not modelled.
    pub(super) fn has_real_card(&self) -> bool {
        self.home == CountedMemory::Card && self.clock() == warpup_protocol::Clock::Measured
    }
}

/// What a kernel does that fills memory.
pub(super) fn work_of(fill: &Fill<'_>, meta: &Meta) -> Work {
    match fill {
        Fill::Drawn(function, _) => Work::random(function, meta.count(), meta.dtype),
        Fill::Values(_) | Fill::Full(_) | Fill::Made(..) | Fill::Found(..) | Fill::Left(_) => {
            Work::moving(meta.bytes(), meta.dtype)
        }
    }
}

/// The type for Python numbers of a kind.
pub(crate) fn default_dtype(kind: Category) -> DType {
    match kind {
        Category::Bool => DType::Bool,
        Category::Int => DType::I64,
        Category::Float => default_float(),
    }
}

/// One number everywhere, in the type of a tensor.
pub(crate) fn full_values(meta: &Meta, number: f64, on: &Candle) -> Result<Values, TorchError> {
    let stored = meta.dtype.stored();
    let number = if meta.dtype == DType::Bool {
        f64::from(u8::from(number != 0.0))
    } else {
        number
    };
    if let Some(made) = card::full(number, (&meta.shape, stored), on) {
        return Ok(made?);
    }
    if let (DType::F32, Candle::Cpu) = (meta.dtype, on) {
        return Ok(fast::full(number as f32, &meta.shape)?);
    }
    let one = Values::new(number, on)?;
    let one = if meta.dtype == DType::Bool {
        one.ne(&one.zeros_like()?)?
    } else {
        in_range(one.to_dtype(meta.dtype.stored())?, meta.dtype)?
    };
    Ok(fast::repeated(&one, &meta.shape)?)
}
