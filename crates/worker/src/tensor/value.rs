//! The values of a tensor: known, still to be computed, or left out.

use super::backlog::{Backlog, bytes_of};
use super::deferred::Deferred;
use crate::error::TorchError;
use candle_core::Tensor as Values;
use std::rc::Rc;

/// The values of a tensor.
#[derive(Clone, Debug, Default)]
pub(crate) enum Value {
    /// They are not kept: too large, too slow, or of a tensor that has metadata only.
    #[default]
    Missing,
    Known(Values),
    /// Of a modelled card: who reads them computes them.
    Deferred(Rc<Deferred>),
}

impl Value {
    /// The values, which are computed now if nobody has read them; nothing if they are not kept.
    pub(crate) fn read(&self) -> Result<Option<Values>, TorchError> {
        match self {
            Self::Missing => Ok(None),
            Self::Known(values) => Ok(Some(values.clone())),
            Self::Deferred(node) => node.read(),
        }
    }

    /// Values that are not deferred.
    pub(crate) fn known(&self) -> Option<&Values> {
        match self {
            Self::Known(values) => Some(values),
            Self::Missing | Self::Deferred(_) => None,
        }
    }

    /// Whether they are not kept, as far as it is known.
    pub(crate) fn is_missing(&self) -> bool {
        match self {
            Self::Missing => true,
            Self::Known(_) => false,
            Self::Deferred(node) => node.done().is_some_and(|it| it.is_missing()),
        }
    }

    /// What has yet to compute them.
    pub(super) fn waiting(&self) -> Option<&Rc<Deferred>> {
        match self {
            Self::Deferred(node) if node.is_waiting() => Some(node),
            Self::Missing | Self::Known(_) | Self::Deferred(_) => None,
        }
    }

    pub(crate) fn is_waiting(&self) -> bool {
        self.waiting().is_some()
    }

    /// Deferred values that somebody has read are known.
    pub(super) fn is_settled(&self) -> bool {
        match self {
            Self::Missing | Self::Known(_) => true,
            Self::Deferred(node) => node.done().is_none(),
        }
    }

    /// The same; known if somebody has read them.
    #[must_use]
    pub(crate) fn settled(&self) -> Self {
        match self {
            Self::Deferred(node) => node.done().unwrap_or_else(|| self.clone()),
            Self::Missing | Self::Known(_) => self.clone(),
        }
    }

    /// What this makes of them, which may hold so many bytes of its own; later, if they wait.
    pub(crate) fn then(
        &self,
        bytes: u64,
        change: impl FnOnce(&Values) -> Result<Option<Values>, TorchError> + 'static,
    ) -> Result<Self, TorchError> {
        if let Some(node) = self.waiting() {
            let change = |inputs: &[&Values]| match inputs.first() {
                Some(values) => change(values),
                None => Ok(None),
            };
            return Deferred::value(node.backlog(), vec![self.clone()], bytes, Box::new(change));
        }
        let values = self.read()?;
        let changed = values.map(|it| change(&it)).transpose()?;
        Ok(changed.flatten().into())
    }

    /// Bytes that they hold, now or once they are computed.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Missing => 0,
            Self::Known(values) => bytes_of(values),
            Self::Deferred(node) => node.bytes(),
        }
    }

    /// What counts deferred values, if these are some.
    pub(super) fn backlog(&self) -> Option<&Rc<Backlog>> {
        self.waiting().map(|it| it.backlog())
    }

    /// Whether both are the same result.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (&self.settled(), &other.settled()) {
            (Self::Missing, Self::Missing) => true,
            (Self::Known(a), Self::Known(b)) => a.id() == b.id(),
            (Self::Deferred(a), Self::Deferred(b)) => Rc::ptr_eq(a, b),
            (Self::Missing | Self::Known(_) | Self::Deferred(_), _) => false,
        }
    }
}

impl From<Values> for Value {
    fn from(values: Values) -> Self {
        Self::Known(values)
    }
}

impl From<Option<Values>> for Value {
    fn from(values: Option<Values>) -> Self {
        values.map_or(Self::Missing, Self::Known)
    }
}
