//! Values that are computed when somebody reads them: on a modelled card most programs read few of their results.
//!
//! Values on the host are never written to, so what a result is computed from stays what it was. It knows no operation:
//! the engine says how to compute, and what is left out.

use super::backlog::Backlog;
use super::value::Value;
use crate::error::TorchError;
use candle_core::Tensor as Values;
use std::cell::RefCell;
use std::rc::Rc;

/// Computes values from those of the inputs; nothing if they are left out.
pub(crate) type Compute = Box<dyn FnOnce(&[&Values]) -> Result<Option<Values>, TorchError>>;

/// Values that are computed once, by the first who reads them.
pub(crate) struct Deferred {
    number: u64,
    progress: RefCell<Progress>,
    /// What they hold once they are computed.
    bytes: u64,
    backlog: Rc<Backlog>,
}

enum Progress {
    Waiting(Waiting),
    /// Nothing if they were left out.
    Done(Option<Values>),
    Failed(TorchError),
}

struct Waiting {
    inputs: Vec<Value>,
    compute: Compute,
}

impl Deferred {
    /// Values that wait, until somebody reads them or too much waits.
    pub(crate) fn value(
        backlog: &Rc<Backlog>,
        inputs: Vec<Value>,
        bytes: u64,
        compute: Compute,
    ) -> Result<Value, TorchError> {
        for input in &inputs {
            backlog.keep(input.known());
        }
        let node = Rc::new_cyclic(|this| Self {
            number: backlog.add(this.clone()),
            progress: RefCell::new(Progress::Waiting(Waiting { inputs, compute })),
            bytes,
            backlog: Rc::clone(backlog),
        });
        if backlog.has_room() {
            return Ok(Value::Deferred(node));
        }
        backlog.compute_all();
        Ok(node.result()?.into())
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn backlog(&self) -> &Rc<Backlog> {
        &self.backlog
    }

    pub(super) fn is_waiting(&self) -> bool {
        matches!(&*self.progress.borrow(), Progress::Waiting(_))
    }

    /// What was computed; nothing while it waits, and after an error.
    pub(super) fn done(&self) -> Option<Value> {
        match &*self.progress.borrow() {
            Progress::Done(values) => Some(values.clone().into()),
            Progress::Waiting(_) | Progress::Failed(_) => None,
        }
    }

    /// The values. First those that they need are computed, one after the other: a chain may have thousands of links.
    pub(super) fn read(self: &Rc<Self>) -> Result<Option<Values>, TorchError> {
        if !self.is_waiting() {
            return self.result();
        }
        let mut open = vec![Rc::clone(self)];
        while let Some(node) = open.last() {
            if let Some(input) = node.first_waiting() {
                open.push(input);
                continue;
            }
            node.compute();
            open.pop();
            if !self.backlog.has_room() {
                // What was computed is kept for others that wait.
                self.backlog.compute_all();
            }
        }
        self.result()
    }

    fn result(&self) -> Result<Option<Values>, TorchError> {
        match &*self.progress.borrow() {
            Progress::Done(values) => Ok(values.clone()),
            Progress::Failed(error) => Err(error.clone()),
            Progress::Waiting(_) => Ok(None),
        }
    }

    fn first_waiting(&self) -> Option<Rc<Self>> {
        match &*self.progress.borrow() {
            Progress::Waiting(waiting) => waiting.inputs.iter().find_map(Value::waiting).cloned(),
            Progress::Done(_) | Progress::Failed(_) => None,
        }
    }

    /// Computes the values from inputs that do not wait, and frees those that nobody else holds.
    pub(super) fn compute(&self) {
        let Some(Waiting { inputs, compute }) = self.take() else {
            return;
        };
        let computed = known(&inputs).and_then(|values| match values {
            Some(values) => compute(&values.iter().collect::<Vec<_>>()),
            None => Ok(None),
        });
        self.progress.replace(match computed {
            Ok(values) => {
                self.backlog.keep(values.as_ref());
                Progress::Done(values)
            }
            Err(error) => Progress::Failed(error),
        });
    }

    /// Its work, if it waits.
    fn take(&self) -> Option<Waiting> {
        match self.progress.replace(Progress::Done(None)) {
            Progress::Waiting(waiting) => {
                self.backlog.remove(self.number);
                for input in &waiting.inputs {
                    self.backlog.let_go(input.known());
                }
                Some(waiting)
            }
            other @ (Progress::Done(_) | Progress::Failed(_)) => {
                self.progress.replace(other);
                None
            }
        }
    }
}

/// The values of all inputs, none of which waits; nothing if one was left out.
fn known(inputs: &[Value]) -> Result<Option<Vec<Values>>, TorchError> {
    let mut all = Vec::with_capacity(inputs.len());
    for input in inputs {
        match input.read()? {
            Some(values) => all.push(values),
            None => return Ok(None),
        }
    }
    Ok(Some(all))
}

impl Drop for Deferred {
    /// Without a deep call for a long chain.
    fn drop(&mut self) {
        if let Progress::Done(values) = &*self.progress.borrow() {
            self.backlog.let_go(values.as_ref());
        }
        let inputs = |it: &Self| it.take().map(|it| it.inputs).unwrap_or_default();
        let mut loose = inputs(self);
        while let Some(value) = loose.pop() {
            if let Value::Deferred(node) = value
                && let Some(alone) = Rc::into_inner(node)
            {
                loose.extend(inputs(&alone));
            }
        }
    }
}

impl std::fmt::Debug for Deferred {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut deferred = f.debug_struct("Deferred");
        deferred.field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::backlog::MOST_WAITING;
    use candle_core::Device;
    use std::cell::Cell;

    fn number(value: f32) -> Value {
        Values::new(value, &Device::Cpu).unwrap().into()
    }

    fn plus_one(backlog: &Rc<Backlog>, to: Value, runs: &Rc<Cell<u32>>) -> Value {
        let runs = Rc::clone(runs);
        let compute: Compute = Box::new(move |inputs| {
            runs.set(runs.get() + 1);
            let [number] = inputs else { return Ok(None) };
            Ok(Some((*number + 1.0)?))
        });
        Deferred::value(backlog, vec![to], 4, compute).unwrap()
    }

    fn shown(value: &Value) -> Option<f32> {
        let values = value.read().unwrap();
        values.map(|it| it.to_scalar().unwrap())
    }

    #[test]
    fn values_are_computed_once_and_only_if_somebody_reads_them() {
        let (backlog, runs) = (Backlog::new(1_000), Rc::new(Cell::new(0)));
        let first = plus_one(&backlog, number(1.0), &runs);
        let unread = plus_one(&backlog, first.clone(), &runs);
        let second = plus_one(&backlog, first, &runs);
        assert_eq!(runs.get(), 0);
        assert_eq!([shown(&second), shown(&second)], [Some(3.0); 2]);
        assert_eq!(runs.get(), 2);
        drop((unread, second));
        assert_eq!((backlog.waiting(), backlog.bytes()), (0, 0));
    }

    #[test]
    fn a_long_chain_is_read_and_dropped_without_deep_calls() {
        let (backlog, runs) = (Backlog::new(u64::MAX), Rc::new(Cell::new(0)));
        let chain = || {
            let first = number(0.0);
            (0..MOST_WAITING).fold(first, |last, _| plus_one(&backlog, last, &runs))
        };
        let read = chain();
        assert_eq!((shown(&read), runs.get()), (Some(10_000.0), 10_000));
        drop(chain());
        assert_eq!(
            (runs.get(), backlog.waiting(), backlog.bytes()),
            (10_000, 0, 4)
        );
    }

    #[test]
    fn when_too_much_is_kept_or_too_many_wait_all_are_computed_but_those_that_are_gone() {
        let runs = Rc::new(Cell::new(0));
        // Each input is 4 bytes, and is counted once.
        let backlog = Backlog::new(8);
        let input = number(1.0);
        let waiting = [(); 2].map(|()| plus_one(&backlog, input.clone(), &runs));
        drop(plus_one(&backlog, number(2.0), &runs));
        let other = plus_one(&backlog, number(3.0), &runs);
        assert_eq!((backlog.bytes(), runs.get()), (8, 0));
        let last = plus_one(&backlog, number(4.0), &runs);
        assert_eq!((runs.get(), backlog.waiting()), (4, 0));
        assert!(last.known().is_some());
        drop((waiting, other, last));
        assert_eq!(backlog.bytes(), 0);
        let backlog = Backlog::new(u64::MAX);
        let first = number(0.0);
        let last = (0..=MOST_WAITING).fold(first, |last, _| plus_one(&backlog, last, &runs));
        assert_eq!((runs.get(), backlog.waiting()), (10_005, 0));
        assert_eq!(shown(&last), Some(10_001.0));
    }

    #[test]
    fn a_read_does_not_pile_up_what_others_wait_for() {
        let runs = Rc::new(Cell::new(0));
        let backlog = Backlog::new(40);
        let mut last = number(0.0);
        // Each link is needed by the next one and by another result, so that it would be kept.
        let mut others = Vec::new();
        for _ in 0..100 {
            last = plus_one(&backlog, last, &runs);
            others.push(plus_one(&backlog, last.clone(), &runs));
        }
        assert_eq!((backlog.bytes(), runs.get()), (4, 0));
        assert_eq!(shown(&last), Some(100.0));
        assert_eq!((backlog.waiting(), runs.get()), (0, 200));
    }

    #[test]
    fn a_value_without_inputs_and_an_error_reach_all_that_need_it() {
        let (backlog, runs) = (Backlog::new(1_000), Rc::new(Cell::new(0)));
        let missing: Compute = Box::new(|_| Ok(None));
        let missing = Deferred::value(&backlog, vec![number(0.0)], 4, missing).unwrap();
        let after = plus_one(&backlog, missing, &runs);
        assert_eq!((shown(&after), runs.get()), (None, 0));
        let failed: Compute = Box::new(|_| Err(TorchError::runtime("no such kernel")));
        let failed = Deferred::value(&backlog, vec![number(0.0)], 4, failed).unwrap();
        let after = plus_one(&backlog, failed, &runs);
        let message = after.read().unwrap_err().message;
        assert_eq!((message.as_str(), runs.get()), ("no such kernel", 0));
    }
}
