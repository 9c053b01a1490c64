//! Shape, memory and values of a tensor.

use super::charge::Charge;
use super::layout::{self, Layout};
use super::storage::Storage;
use super::value::Value;
use crate::device::{Pin, TensorDevice};
use crate::meta::Meta;
use std::cell::Cell;
use std::rc::Rc;

/// Shape, memory and values of a tensor. Moving a module to another device replaces it.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) meta: Meta,
    pub(crate) device: TensorDevice,
    /// The values, if they are kept, as of the write counted by `writes`.
    pub(crate) value: Value,
    pub(super) writes: u64,
    /// The memory; views share it.
    pub(crate) storage: Rc<Storage>,
    /// Its strides and offset in the memory; nothing for all of it in row-major order.
    pub(crate) layout: Option<Rc<Layout>>,
    /// Its own version counter, if it does not share that of the memory.
    pub(super) version: Option<Rc<Cell<u64>>>,
    /// What keeps its host memory pinned, if it is.
    pub(crate) pinned: Option<Pin>,
}

impl State {
    /// A tensor that is all of its memory.
    pub(crate) fn new(
        meta: Meta,
        device: TensorDevice,
        charge: Charge,
        value: impl Into<Value>,
    ) -> Self {
        let value = value.into();
        let storage = Storage::new(charge, meta.shape.clone(), value.clone());
        Self {
            meta,
            device,
            value,
            writes: 0,
            storage,
            layout: None,
            version: None,
            pinned: None,
        }
    }

    /// A view of the same memory.
    #[must_use]
    pub(crate) fn view(&self, meta: Meta, layout: Rc<Layout>, value: Value) -> Self {
        Self {
            meta,
            device: self.device,
            value,
            writes: self.writes,
            storage: Rc::clone(&self.storage),
            layout: Some(layout),
            version: self.version.clone(),
            pinned: self.pinned.clone(),
        }
    }

    /// All of the memory, in the shape in which it was made.
    #[must_use]
    pub(crate) fn whole(&self) -> Self {
        Self {
            meta: Meta::new(self.storage.shape().clone(), self.meta.dtype),
            device: self.device,
            value: self.storage.values_through(None),
            writes: self.storage.writes(),
            storage: Rc::clone(&self.storage),
            layout: None,
            version: Some(Rc::default()),
            pinned: self.pinned.clone(),
        }
    }

    /// The same elements of other memory, which is read when they are asked for.
    #[must_use]
    pub(crate) fn in_memory(&self, storage: Rc<Storage>) -> Self {
        Self {
            value: Value::Missing,
            writes: u64::MAX,
            storage,
            version: None,
            pinned: None,
            ..self.clone()
        }
    }

    pub(super) fn is_fresh(&self) -> bool {
        self.writes == self.storage.writes()
    }

    /// Reads the memory again, after a write by another tensor.
    pub(super) fn refresh(&mut self) {
        self.value = self.storage.values_through(self.layout.as_deref());
        self.writes = self.storage.writes();
    }

    /// Forgets how its values were computed, once somebody has read them.
    pub(super) fn settle(&mut self) {
        self.storage.settle();
        self.value = self.value.settled();
    }

    /// The version: how often it was changed in place.
    pub(crate) fn version(&self) -> u64 {
        self.counter().get()
    }

    /// Counts a change in place.
    pub(super) fn count_change(&self) {
        self.counter().set(self.version() + 1);
        self.storage.note_change();
    }

    fn counter(&self) -> &Cell<u64> {
        match &self.version {
            Some(own) => own,
            None => self.storage.version(),
        }
    }

    /// The distance of neighbours along each dimension, in elements.
    pub(crate) fn strides(&self) -> Vec<usize> {
        match &self.layout {
            Some(layout) => layout.strides().to_vec(),
            None => layout::contiguous(&self.meta.shape),
        }
    }

    /// The position of the first element in the memory, in elements.
    pub(crate) fn offset(&self) -> usize {
        self.layout.as_ref().map_or(0, |it| it.offset())
    }

    /// The position after the last element in the memory.
    pub(crate) fn end(&self) -> usize {
        match &self.layout {
            Some(layout) => layout.end(),
            None => self.meta.count() as usize,
        }
    }

    /// Whether the elements have no gaps and no overlaps, in whatever order.
    pub(crate) fn is_dense(&self) -> bool {
        self.layout.as_ref().is_none_or(|it| it.is_dense())
    }

    /// `data_ptr()`: a number that no other live memory has.
    pub(crate) fn address(&self) -> u64 {
        Rc::as_ptr(&self.storage) as usize as u64
    }

    pub(crate) fn shares_with(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.storage, &other.storage)
    }

    /// Whether the elements are in row-major order without gaps.
    pub(crate) fn is_contiguous(&self) -> bool {
        self.layout.as_ref().is_none_or(|it| it.is_contiguous())
    }
}
