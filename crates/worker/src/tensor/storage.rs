//! Memory that several tensors share: a base, its views, and what was detached from them.
//!
//! On the host, tensors of candle are never written to. A change in place makes new values for the whole memory, and the
//! tensors that share it read it again when they are next asked ([`super::Tensor::state`]). On a real card a part is written
//! where it lies, in memory that no other [`Storage`] has.

use super::charge::Charge;
use super::deferred::Deferred;
use super::gradient_use::GradientUse;
use super::graph_use;
use super::layout::Layout;
use super::queued_write::{Before, QueuedWork, QueuedWrites};
use super::value::Value;
use crate::error::TorchError;
use crate::kernels::host::{is_on_card, shares_memory};
use crate::kernels::{card, fast};
use crate::shape::Shape;
use candle_core::{DType as Stored, Device, Storage as SavedValue, Tensor as Values, WithDType};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

/// Memory, with its values if they are kept.
#[derive(Debug)]
pub(crate) struct Storage {
    /// What is freed with the last tensor that shares it.
    pub(crate) charge: Charge,
    /// The shape of the tensor that was all of it when it was made.
    shape: Shape,
    values: RefCell<Value>,
    /// Whether the values are memory of our own, on a real card, which a kernel may write to. Those of an operation may still
    /// be another tensor's; those of a change in place are not.
    is_own: Cell<bool>,
    writes: Cell<u64>,
    /// The version counter of gradients: writes through `.data` do not count.
    version: Cell<u64>,
    /// The line of the program that changed it in place last; 0 where none did.
    changed_on: Cell<u32>,
    /// What writes to it on a modelled card, and is queued.
    queued: RefCell<QueuedWrites>,
    /// The memory of CUDA graphs for what lies here.
    twin: RefCell<Weak<Self>>,
    /// How many graphs this is such memory of.
    graphs: Cell<u32>,
    /// If it is the memory of a gradient: what has become of that.
    gradient: Cell<GradientUse>,
    /// The memory of the gradient of the leaf that lies here.
    gradient_memory: RefCell<Weak<Self>>,
}

impl Storage {
    pub(crate) fn new(charge: Charge, shape: Shape, values: Value) -> Rc<Self> {
        charge.hold_values(values.bytes());
        Rc::new(Self {
            charge,
            shape,
            values: RefCell::new(values),
            is_own: Cell::new(false),
            writes: Cell::new(0),
            version: Cell::new(0),
            changed_on: Cell::new(0),
            queued: RefCell::default(),
            twin: RefCell::default(),
            graphs: Cell::new(0),
            gradient: Cell::default(),
            gradient_memory: RefCell::default(),
        })
    }

    /// What has become of the gradient here.
    pub(super) fn gradient(&self) -> &Cell<GradientUse> {
        &self.gradient
    }

    /// The memory of the gradient of the leaf that lies here, if it has one.
    pub(super) fn gradient_memory(&self) -> &RefCell<Weak<Self>> {
        &self.gradient_memory
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(crate) fn writes(&self) -> u64 {
        self.writes.get()
    }

    /// The line that changed it in place last.
    pub(super) fn changed_on(&self) -> u32 {
        self.changed_on.get()
    }

    /// The line that runs changes it in place.
    pub(super) fn note_change(&self) {
        self.changed_on.set(graph_use::line());
    }

    pub(super) fn version(&self) -> &Cell<u64> {
        &self.version
    }

    pub(crate) fn values_through(&self, layout: Option<&Layout>) -> Value {
        through(&self.values.borrow(), layout)
    }

    /// Forgets how values were computed that somebody has read.
    pub(super) fn settle(&self) {
        let settled = self.values.borrow().settled();
        drop(self.values.replace(settled));
    }

    /// The same memory as it will be after these writes.
    pub(crate) fn after<'a>(
        &self,
        writes: impl Iterator<Item = (Option<&'a Layout>, Value)>,
    ) -> Result<Rc<Self>, TorchError> {
        let values = self.values.borrow().clone();
        let later = Self::new(Charge::none(), self.shape.clone(), values);
        for (layout, new) in writes {
            later.write(layout, &new)?;
        }
        Ok(later)
    }

    /// Work that writes to it was queued at this time of the host.
    pub(crate) fn queue_write(&self, work: QueuedWork, before: Before, now: u64) {
        self.queued.borrow_mut().add(work, before, now);
    }

    /// The work of another stream that has not written to it when this one reads a layout, and the values that this one
    /// reads, if they are kept.
    pub(crate) fn missing(
        &self,
        layout: Option<&Layout>,
        (stream, at_ns): (u32, u64),
    ) -> Option<(QueuedWork, Value)> {
        let queued = self.queued.borrow();
        let (work, before) = queued.missing(stream, at_ns)?;
        let now = self.values.borrow();
        let seen = match before {
            Before::Zeros => {
                let zeros = now.then(now.bytes(), |it| Ok(Some(it.zeros_like()?)));
                zeros.unwrap_or_default()
            }
            Before::Held(values) => values.clone(),
            Before::Forgotten => now.clone(),
        };
        Some((work, through(&seen, layout)))
    }

    /// Writes the values of a layout; nothing if the new values are not kept.
    pub(crate) fn write(&self, layout: Option<&Layout>, new: &Value) -> Result<(), TorchError> {
        let before = self.values.take();
        let bytes = self.charge.value_bytes().max(new.bytes());
        let after = match (before.settled(), new.settled(), layout) {
            (before, Value::Known(new), None) => {
                // A tensor that is copied into itself stays what it is.
                let is_same = before.known().is_some_and(|it| shares_memory(it, &new));
                self.is_own.set(!is_same || self.is_own.get());
                Value::Known(fast::contiguous(&new)?)
            }
            (_, new @ Value::Deferred(_), None) => {
                new.then(0, |it| Ok(Some(fast::contiguous(it)?)))?
            }
            (Value::Known(whole), Value::Known(new), Some(layout)) => {
                Value::Known(self.with_part(whole, layout, &new)?)
            }
            (Value::Missing, _, Some(_)) | (_, Value::Missing, _) => Value::Missing,
            (whole @ (Value::Known(_) | Value::Deferred(_)), new, Some(layout)) => {
                later_with_part(whole, layout.clone(), new, bytes)?
            }
        };
        self.charge.hold_values(match &after {
            Value::Deferred(_) => bytes,
            Value::Missing | Value::Known(_) => after.bytes(),
        });
        self.values.replace(after);
        self.writes.set(self.writes.get() + 1);
        Ok(())
    }

    /// Memory that no tensor of the program has: that of CUDA graphs, for what lies here. Graphs share it, as they share
    /// addresses: one reads what another has left, also when the program has freed it.
    pub(crate) fn twin(&self) -> Rc<Self> {
        let known = self.twin.borrow().upgrade();
        let twin = known.unwrap_or_else(|| {
            let made = self.snapshot();
            *self.twin.borrow_mut() = Rc::downgrade(&made);
            made
        });
        twin.graphs.set(twin.graphs.get() + 1);
        twin
    }

    /// Memory with what lies here now, for a CUDA graph to which it is a number.
    pub(crate) fn snapshot(&self) -> Rc<Self> {
        Self::new(Charge::none(), self.shape.clone(), self.whole_values())
    }

    /// Whether more than one CUDA graph has had this memory.
    pub(crate) fn is_shared_by_graphs(&self) -> bool {
        self.graphs.get() > 1
    }

    /// All values, if they are kept.
    pub(crate) fn whole_values(&self) -> Value {
        self.values.borrow().clone()
    }

    /// Replaces all values, as a kernel does of which the program knows nothing: versions stay.
    pub(crate) fn replace_values(&self, values: Value) {
        self.charge.hold_values(values.bytes());
        drop(self.values.replace(values));
        self.writes.set(self.writes.get() + 1);
    }

    /// The values, where a kernel may write to them.
    pub(super) fn own_values(&self) -> Option<Values> {
        let values = self.values.borrow();
        let values = values.known().filter(|it| is_on_card(it));
        values.filter(|_| self.is_own.get()).cloned()
    }

    /// The whole with a part of it replaced.
    fn with_part(
        &self,
        whole: Values,
        layout: &Layout,
        new: &Values,
    ) -> Result<Values, TorchError> {
        if let Device::Cuda(_) = whole.device() {
            let is_own = self.is_own.replace(true);
            return written_on_card(whole, is_own, layout, new);
        }
        overwritten(&whole, layout, new)
    }
}

/// The part of the whole that a layout shows.
fn through(whole: &Value, layout: Option<&Layout>) -> Value {
    let Some(layout) = layout else {
        return whole.clone();
    };
    if let Some(whole) = whole.known() {
        return part(whole, layout).into();
    }
    let layout = layout.clone();
    let seen = whole.then(0, move |it| Ok(part(it, &layout)));
    seen.unwrap_or_default()
}

fn part(whole: &Values, layout: &Layout) -> Option<Values> {
    let path = layout.path_from(None);
    // A view that was possible before is possible again: only values have changed.
    path.iter()
        .try_fold(whole.clone(), |values, view| view.of(&values).ok())
}

/// The whole with a part of it replaced, where one of both waits: on a modelled card.
fn later_with_part(
    whole: Value,
    layout: Layout,
    new: Value,
    bytes: u64,
) -> Result<Value, TorchError> {
    let backlog = whole.backlog().or_else(|| new.backlog()).cloned();
    let (Some(backlog), false) = (backlog, new.is_missing()) else {
        let (Some(whole), Some(new)) = (whole.read()?, new.read()?) else {
            return Ok(Value::Missing);
        };
        return Ok(overwritten(&whole, &layout, &new)?.into());
    };
    let replace = move |inputs: &[&Values]| match inputs {
        [whole, new] => overwritten(whole, &layout, new).map(Some),
        _ => Ok(None),
    };
    Deferred::value(&backlog, vec![whole, new], bytes, Box::new(replace))
}

/// The whole with a part of it replaced.
fn overwritten(whole: &Values, layout: &Layout, new: &Values) -> Result<Values, TorchError> {
    if layout.is_all_of(whole.elem_count()) {
        return Ok(fast::reshape(new, whole.dims())?);
    }
    match whole.dtype() {
        Stored::U8 => replaced::<u8>(whole, layout, new),
        Stored::I16 => replaced::<i16>(whole, layout, new),
        Stored::I32 => replaced::<i32>(whole, layout, new),
        Stored::I64 => replaced::<i64>(whole, layout, new),
        // Every half is a float, and comes back from it as it was.
        Stored::F16 | Stored::BF16 => {
            let wide = |it: &Values| it.to_dtype(Stored::F32);
            let all = replaced::<f32>(&wide(whole)?, layout, &wide(new)?)?;
            Ok(all.to_dtype(whole.dtype())?)
        }
        Stored::F32 => replaced::<f32>(whole, layout, new),
        Stored::F64 => replaced::<f64>(whole, layout, new),
        Stored::U32
        | Stored::F8E4M3
        | Stored::F6E2M3
        | Stored::F6E3M2
        | Stored::F4
        | Stored::F8E8M0
        | _ => Err(TorchError::runtime(format!(
            "internal error in warpup: no tensor is stored as {:?}",
            whole.dtype()
        ))),
    }
}

/// The same by a kernel, in a copy that is ours alone.
fn written_on_card(
    whole: Values,
    is_own: bool,
    layout: &Layout,
    new: &Values,
) -> Result<Values, TorchError> {
    let own = if is_own { whole } else { fast::copied(&whole)? };
    let at = card::Strided {
        sizes: layout.shape(),
        strides: layout.strides(),
        offset: layout.offset(),
    };
    if new.elem_count() > 0 {
        card::write(&own, at, new)?;
    }
    Ok(own)
}

fn replaced<T: WithDType>(
    whole: &Values,
    layout: &Layout,
    new: &Values,
) -> Result<Values, TorchError> {
    let mut all: Vec<T> = whole.flatten_all()?.to_vec1()?;
    let new = fast::contiguous(new)?;
    let (storage, own) = new.storage_and_layout();
    if let (SavedValue::Cpu(storage), Some((start, end))) = (&*storage, own.contiguous_offsets()) {
        let new = T::cpu_storage_as_slice(storage)?.get(start..end);
        layout.put(new.unwrap_or_default(), &mut all);
    }
    Ok(Values::from_vec(all, whole.shape(), whole.device())?)
}
