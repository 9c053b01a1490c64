//! The probe of `warpup-worker-cuda probe`: tries the cards, a context, a kernel, a product, copies and counters.

use super::context::CardContext;
use super::copies;
use super::failure::CudaFailure;
use super::properties::{DeviceProperties, driver_cuda};
use super::timer::OpTimer;
use crate::error::TorchError;
use crate::kernels::card::cudnn;
use crate::kernels::convolution::{Steps, convolve};
use candle_core::{Device as Candle, Tensor as Values};
use std::time::Instant;
use warpup_protocol::{Built, Probe, ProbeStep, ProbedCard, StepKind, StepResult};

/// Rows and columns of the matrices that are tried.
const SIZE: usize = 256;

/// What is copied to the card and back: 4 MiB.
const COPIED: usize = 1 << 20;

/// Why a step failed.
struct StepError {
    code: String,
    words: String,
}

impl From<CudaFailure> for StepError {
    fn from(failure: CudaFailure) -> Self {
        Self {
            code: failure.name,
            words: failure.words,
        }
    }
}

impl From<candle_core::Error> for StepError {
    fn from(error: candle_core::Error) -> Self {
        CudaFailure::within(&error).map_or_else(|| Self::of(&error.to_string()), Self::from)
    }
}

impl From<TorchError> for StepError {
    fn from(error: TorchError) -> Self {
        Self::of(&error.message)
    }
}

impl StepError {
    fn of(words: &str) -> Self {
        Self {
            code: String::new(),
            words: words.lines().next().unwrap_or_default().to_owned(),
        }
    }
}

/// Tries everything, up to the first step that fails.
pub(crate) fn probe() -> Probe {
    let mut probe = Probe {
        built: built(),
        driver_cuda: None,
        cards: Vec::new(),
        steps: Vec::new(),
        device_times: None,
    };
    // A failure is part of the probe.
    let _ = steps(&mut probe);
    probe
}

/// How this worker was built, from variables that its build script sets.
fn built() -> Built {
    let known = |it: Option<&str>| it.unwrap_or("unknown").to_owned();
    Built {
        warpup: env!("CARGO_PKG_VERSION").to_owned(),
        cuda: known(option_env!("WARPUP_BUILT_CUDA")),
        capability: known(option_env!("WARPUP_BUILT_CAPABILITY")),
    }
}

fn steps(probe: &mut Probe) -> Option<()> {
    let cards = step(probe, StepKind::Init, || {
        let cards = DeviceProperties::all()?;
        let shown = match cards.len() {
            1 => "1 card".to_owned(),
            count => format!("{count} cards"),
        };
        Ok((shown, cards))
    })?;
    probe.driver_cuda = driver_cuda();
    probe.cards = cards.iter().map(probed).collect();
    let first = cards.first()?;
    let card = step(probe, StepKind::Context, || {
        let before = Instant::now();
        let card = CardContext::create(first)?;
        Ok((format!("{} ms", before.elapsed().as_millis()), card))
    })?;
    step(probe, StepKind::Kernels, || {
        card.load_kernels()?;
        Ok(("loaded".to_owned(), ()))
    })?;
    step(probe, StepKind::Kernel, || Ok((kernel(&card.candle)?, ())))?;
    // A card that refuses a timer fails a step.
    let timer = OpTimer::new(&card).ok();
    probe.device_times = timer.map(|it| it.facts());
    step(probe, StepKind::Matmul, || Ok((matmul(&card.candle)?, ())))?;
    step(probe, StepKind::Convolution, || {
        Ok((convolution(&card.candle)?, ()))
    })?;
    let there = step(probe, StepKind::CopyToDevice, || copy_to(&card))?;
    step(probe, StepKind::CopyToHost, || {
        Ok((copy_back(&card, &there)?, ()))
    })?;
    step(probe, StepKind::Memory, || Ok((memory(&card)?, ())))
}

fn step<T>(
    probe: &mut Probe,
    what: StepKind,
    work: impl FnOnce() -> Result<(String, T), StepError>,
) -> Option<T> {
    let began = Instant::now();
    let came = work();
    let took_ns = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let (found, left) = match came {
        Ok((said, left)) => (StepResult::Fine { said }, Some(left)),
        Err(StepError { code, words }) => (StepResult::Failed { code, why: words }, None),
    };
    probe.steps.push(ProbeStep {
        what,
        took_ns,
        found,
    });
    left
}

fn probed(properties: &DeviceProperties) -> ProbedCard {
    ProbedCard {
        ordinal: properties.ordinal,
        name: properties.name.clone(),
        uuid: properties.uuid.clone(),
        capability: properties.capability,
        memory_bytes: properties.memory,
        multiprocessors: properties.multiprocessors,
    }
}

/// The numbers 0 to 6, repeated, so that sums of products stay exact.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|at| (at % 7) as f32).collect()
}

/// The result on the card and on the CPU.
fn compared(
    card: &Candle,
    work: impl Fn(&Candle) -> candle_core::Result<Values>,
) -> Result<usize, StepError> {
    let there = work(card)?.flatten_all()?.to_vec1::<f32>()?;
    let here = work(&Candle::Cpu)?.flatten_all()?.to_vec1::<f32>()?;
    if there == here {
        Ok(here.len())
    } else {
        Err(StepError::of(
            "the card computed other numbers than the CPU",
        ))
    }
}

fn kernel(card: &Candle) -> Result<String, StepError> {
    let count = compared(card, |on| {
        let a = Values::from_vec(numbers(SIZE), SIZE, on)?;
        a.add(&a)?.relu()
    })?;
    Ok(format!("{count} sums are those of the CPU"))
}

fn matmul(card: &Candle) -> Result<String, StepError> {
    compared(card, |on| {
        let a = Values::from_vec(numbers(SIZE * SIZE), (SIZE, SIZE), on)?;
        a.matmul(&a)
    })?;
    Ok(format!("a product of {SIZE} x {SIZE} is that of the CPU"))
}

fn convolution(card: &Candle) -> Result<String, StepError> {
    /// Of a batch of one image with four channels, and of its eight filters.
    const SIDE: usize = 16;
    let steps = Steps {
        stride: vec![1, 1],
        padding: vec![1, 1],
        dilation: vec![1, 1],
        groups: 1,
    };
    compared(card, |on| {
        let image = Values::from_vec(numbers(4 * SIDE * SIDE), (1, 4, SIDE, SIDE), on)?;
        let weight = Values::from_vec(numbers(8 * 4 * 9), (8, 4, 3, 3), on)?;
        convolve([&image, &weight], None, &steps, &[SIDE, SIDE])
            .map_err(|error| candle_core::Error::Msg(error.message))
    })?;
    Ok(match cudnn::version_on(card) {
        Ok(version) => format!("by cuDNN {version}, as by the CPU"),
        Err(why) => format!("by slower kernels, as by the CPU, because there is no cuDNN ({why})"),
    })
}

fn copy_to(card: &CardContext) -> Result<(String, Values), StepError> {
    let values = Values::from_vec(numbers(COPIED), COPIED, &Candle::Cpu)?;
    let device = card.candle.as_cuda_device()?;
    let there = copies::to_card(&values, device, &card.stream)?;
    card.stream.synchronize().map_err(CudaFailure::from)?;
    Ok((format!("{} MiB", (COPIED * 4) >> 20), there))
}

fn copy_back(card: &CardContext, there: &Values) -> Result<String, StepError> {
    let back = copies::to_host(there, &card.stream)?.to_vec1::<f32>()?;
    if back == numbers(COPIED) {
        Ok(format!("{} MiB, as they went there", (COPIED * 4) >> 20))
    } else {
        Err(StepError::of("what came back is not what went there"))
    }
}

fn memory(card: &CardContext) -> Result<String, StepError> {
    let (free, total) = card.memory.free_and_total().map_err(CudaFailure::from)?;
    let mib = |bytes: u64| bytes >> 20;
    let pool = match &card.memory.pool {
        Some(pool) => format!(
            "the pool holds {} MiB, of which {} MiB are given out",
            mib(pool.reserved()),
            mib(pool.used())
        ),
        None => "this driver has no memory pool".to_owned(),
    };
    Ok(format!(
        "{} of {} MiB are free; {pool}",
        mib(free),
        mib(total)
    ))
}
