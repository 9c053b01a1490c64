//! The three products of a convolution by cuDNN. What it says about sizes is asked once and kept.

use super::descriptors::{Descriptor, data_type, math_type, sum_type};
use super::handle::Handle;
use super::library::{AlgorithmPerformance, Failure, call, supported};
use super::{ALLOWS_TF32, Computed};
use crate::kernels::card::launch::{address_of, memory};
use crate::kernels::card::on_one_card;
use crate::kernels::convolution::Steps;
use crate::kernels::fast::contiguous;
use candle_core::{DType, Result, Tensor};
use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::rc::Rc;

/// So many convolutions are kept; a program with more of them asks again.
const MOST_PLANS: usize = 1024;

/// So many algorithms cuDNN is asked for at most; it has about ten.
const MOST_ALGORITHMS: usize = 16;

pub(super) type Plans = HashMap<Question, Rc<ConvolutionPlan>>;

/// What an algorithm depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Question {
    computed: Computed,
    dtype: DType,
    allows_tf32: bool,
    steps: Steps,
    input: Vec<usize>,
    weight: Vec<usize>,
    output: Vec<usize>,
}

/// Descriptors and an algorithm.
pub(super) struct ConvolutionPlan {
    convolution: Descriptor,
    input: Descriptor,
    weight: Descriptor,
    output: Descriptor,
    algorithm: c_int,
    workspace: usize,
}

/// See [`super::convolution`].
pub(super) fn run(
    computed: Computed,
    [first, second]: [&Tensor; 2],
    steps: &Steps,
    shape: &[usize],
) -> Option<Result<Tensor>> {
    if !on_one_card(&[first, second]) || first.dtype() != second.dtype() || shape.contains(&0) {
        return None;
    }
    data_type(first.dtype())?;
    let handle = Handle::of(first.device().as_cuda_device().ok()?)?;
    let (input, weight, output) = match computed {
        Computed::Output => (first.dims(), second.dims(), shape),
        Computed::Input => (shape, second.dims(), first.dims()),
        Computed::Weight => (first.dims(), shape, second.dims()),
    };
    let question = Question {
        computed,
        dtype: first.dtype(),
        allows_tf32: ALLOWS_TF32.get(),
        steps: of_two(steps),
        input: with_two(input),
        weight: with_two(weight),
        output: with_two(output),
    };
    let run = || {
        let plan = plan(&handle, question)?;
        let (first, second) = (contiguous(first)?, contiguous(second)?);
        let out = memory(shape, first.dtype(), first.device())?;
        plan.run(&handle, computed, [&first, &second], &out)?;
        Ok(out)
    };
    supported(run())
}

/// The sizes with two spatial dimensions at least, which cuDNN wants: a line is a plane of one row.
fn with_two(sizes: &[usize]) -> Vec<usize> {
    let mut sizes = sizes.to_vec();
    if sizes.len() == 3 {
        sizes.insert(2, 1);
    }
    sizes
}

fn of_two(steps: &Steps) -> Steps {
    let mut steps = steps.clone();
    if steps.stride.len() == 1 {
        steps.stride.insert(0, 1);
        steps.padding.insert(0, 0);
        steps.dilation.insert(0, 1);
    }
    steps
}

fn plan(handle: &Handle, question: Question) -> std::result::Result<Rc<ConvolutionPlan>, Failure> {
    let known = handle.plans.borrow().get(&question).cloned();
    if let Some(known) = known {
        return Ok(known);
    }
    let plan = Rc::new(ConvolutionPlan::of(handle, &question)?);
    let mut plans = handle.plans.borrow_mut();
    if plans.len() >= MOST_PLANS {
        plans.clear();
    }
    plans.insert(question, Rc::clone(&plan));
    Ok(plan)
}

impl ConvolutionPlan {
    /// With the algorithm that cuDNN expects to be the fastest.
    fn of(handle: &Handle, question: &Question) -> std::result::Result<Self, Failure> {
        let library = handle.library;
        let dtype = question.dtype;
        let stored = data_type(dtype).ok_or(Failure::NotSupported)?;
        let math = math_type(dtype, question.allows_tf32);
        let mut plan = Self {
            convolution: Descriptor::convolution(library, &question.steps, sum_type(dtype), math)?,
            input: Descriptor::tensor(library, stored, &question.input)?,
            weight: Descriptor::filter(library, stored, &question.weight)?,
            output: Descriptor::tensor(library, stored, &question.output)?,
            algorithm: 0,
            workspace: 0,
        };
        let best = plan.best(handle, question.computed)?;
        call!(
            library,
            cudnnSetConvolutionMathType(plan.convolution.raw, best.math_type)
        )?;
        plan.algorithm = best.algorithm;
        plan.workspace = plan.workspace_size(handle, question.computed)?;
        Ok(plan)
    }

    /// The first of cuDNN's algorithms, which it sorts by the time that it expects.
    fn best(
        &self,
        handle: &Handle,
        computed: Computed,
    ) -> std::result::Result<AlgorithmPerformance, Failure> {
        let (library, raw) = (handle.library, handle.raw);
        let [input, weight, how, output] = self.descriptors();
        let none = AlgorithmPerformance {
            algorithm: 0,
            status: -1,
            time: 0.0,
            memory: 0,
            determinism: 0,
            math_type: 0,
            reserved: [0; 3],
        };
        let mut found = [none; MOST_ALGORITHMS];
        let (most, to) = (MOST_ALGORITHMS as c_int, found.as_mut_ptr());
        let mut count = 0;
        let counted = &raw mut count;
        match computed {
            Computed::Output => call!(
                library,
                cudnnGetConvolutionForwardAlgorithm_v7(
                    raw, input, weight, how, output, most, counted, to
                )
            ),
            Computed::Input => call!(
                library,
                cudnnGetConvolutionBackwardDataAlgorithm_v7(
                    raw, weight, output, how, input, most, counted, to
                )
            ),
            Computed::Weight => call!(
                library,
                cudnnGetConvolutionBackwardFilterAlgorithm_v7(
                    raw, input, output, how, weight, most, counted, to
                )
            ),
        }?;
        let count = usize::try_from(count).unwrap_or(0);
        let mut found = found.into_iter().take(count);
        found.find(|it| it.status == 0).ok_or(Failure::NotSupported)
    }

    fn workspace_size(
        &self,
        handle: &Handle,
        computed: Computed,
    ) -> std::result::Result<usize, Failure> {
        let (library, raw, algorithm) = (handle.library, handle.raw, self.algorithm);
        let [input, weight, how, output] = self.descriptors();
        let mut bytes = 0;
        let to = &raw mut bytes;
        match computed {
            Computed::Output => call!(
                library,
                cudnnGetConvolutionForwardWorkspaceSize(
                    raw, input, weight, how, output, algorithm, to
                )
            ),
            Computed::Input => call!(
                library,
                cudnnGetConvolutionBackwardDataWorkspaceSize(
                    raw, weight, output, how, input, algorithm, to
                )
            ),
            Computed::Weight => call!(
                library,
                cudnnGetConvolutionBackwardFilterWorkspaceSize(
                    raw, input, output, how, weight, algorithm, to
                )
            ),
        }?;
        Ok(bytes)
    }

    fn descriptors(&self) -> [*mut c_void; 4] {
        [&self.input, &self.weight, &self.convolution, &self.output].map(|it| it.raw)
    }

    fn run(
        &self,
        handle: &Handle,
        computed: Computed,
        [first, second]: [&Tensor; 2],
        out: &Tensor,
    ) -> std::result::Result<(), Failure> {
        let (library, raw, algorithm) = (handle.library, handle.raw, self.algorithm);
        let [input, weight, how, output] = self.descriptors();
        let space = memory(self.workspace.max(1), DType::U8, out.device())?;
        let [first, second, to, work] = [first, second, out, &space].map(address_of);
        let (first, second, to, work, size) = (first?, second?, to?, work?, self.workspace);
        // Of the type in which cuDNN sums.
        let (floats, doubles) = ([1.0_f32, 0.0], [1.0_f64, 0.0]);
        let [one, zero]: [*const c_void; 2] = if out.dtype() == DType::F64 {
            doubles.each_ref().map(|it| (&raw const *it).cast())
        } else {
            floats.each_ref().map(|it| (&raw const *it).cast())
        };
        match computed {
            Computed::Output => call!(
                library,
                cudnnConvolutionForward(
                    raw, one, input, first, weight, second, how, algorithm, work, size, zero,
                    output, to
                )
            ),
            Computed::Input => call!(
                library,
                cudnnConvolutionBackwardData(
                    raw, one, weight, second, output, first, how, algorithm, work, size, zero,
                    input, to
                )
            ),
            Computed::Weight => call!(
                library,
                cudnnConvolutionBackwardFilter(
                    raw, one, input, first, output, second, how, algorithm, work, size, zero,
                    weight, to
                )
            ),
        }
    }
}
