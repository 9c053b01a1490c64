//! Looks around once: the cards, a context, a kernel, a product, copies and counters, with what each said.

use super::card::Card;
use super::copies;
use super::facts::{Facts, driver_cuda};
use super::trouble::{Trouble, within};
use crate::protocol::{Built, Found, Probe, ProbeStep, Probed, ProbedCard};
use crate::worker::error::TorchError;
use candle_core::{Device as Candle, Tensor as Values};
use std::time::Instant;

/// Rows and columns of the matrices that are tried.
const SIZE: usize = 256;

/// What is copied to the card and back: 4 MiB.
const COPIED: usize = 1 << 20;

/// Why a step did not work.
struct Why {
    code: String,
    words: String,
}

impl From<Trouble> for Why {
    fn from(trouble: Trouble) -> Self {
        Self {
            code: trouble.name,
            words: trouble.words,
        }
    }
}

impl From<candle_core::Error> for Why {
    fn from(error: candle_core::Error) -> Self {
        within(&error).map_or_else(|| Self::of(&error.to_string()), Self::from)
    }
}

impl From<TorchError> for Why {
    fn from(error: TorchError) -> Self {
        Self::of(&error.message)
    }
}

impl Why {
    fn of(words: &str) -> Self {
        Self {
            code: String::new(),
            words: words.lines().next().unwrap_or_default().to_owned(),
        }
    }
}

/// Everything, up to the first step that fails.
pub fn probe() -> Probe {
    let mut probe = Probe {
        built: built(),
        driver_cuda: None,
        cards: Vec::new(),
        steps: Vec::new(),
    };
    // What failed stands in the probe.
    let _ = steps(&mut probe);
    probe
}

/// How this worker was built: what its build script noted.
fn built() -> Built {
    let known = |it: Option<&str>| it.unwrap_or("unknown").to_owned();
    Built {
        warpup: env!("CARGO_PKG_VERSION").to_owned(),
        cuda: known(option_env!("WARPUP_BUILT_CUDA")),
        capability: known(option_env!("WARPUP_BUILT_CAPABILITY")),
    }
}

fn steps(probe: &mut Probe) -> Option<()> {
    let cards = step(probe, Probed::Init, || {
        let cards = Facts::all()?;
        let shown = match cards.len() {
            1 => "1 card".to_owned(),
            count => format!("{count} cards"),
        };
        Ok((shown, cards))
    })?;
    probe.driver_cuda = driver_cuda();
    probe.cards = cards.iter().map(probed).collect();
    let first = cards.first()?;
    let card = step(probe, Probed::Context, || {
        let before = Instant::now();
        let card = context(first)?;
        Ok((format!("{} ms", before.elapsed().as_millis()), card))
    })?;
    step(probe, Probed::Kernels, || {
        card.load_kernels()?;
        Ok(("loaded".to_owned(), ()))
    })?;
    step(probe, Probed::Kernel, || Ok((kernel(&card.candle)?, ())))?;
    step(probe, Probed::Matmul, || Ok((matmul(&card.candle)?, ())))?;
    let there = step(probe, Probed::CopyToDevice, || copy_to(&card))?;
    step(probe, Probed::CopyToHost, || {
        Ok((copy_back(&card, &there)?, ()))
    })?;
    step(probe, Probed::Memory, || Ok((memory(&card)?, ())))
}

fn step<T>(
    probe: &mut Probe,
    what: Probed,
    work: impl FnOnce() -> Result<(String, T), Why>,
) -> Option<T> {
    let began = Instant::now();
    let came = work();
    let took_ns = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let (found, left) = match came {
        Ok((said, left)) => (Found::Fine { said }, Some(left)),
        Err(Why { code, words }) => (Found::Failed { code, why: words }, None),
    };
    probe.steps.push(ProbeStep {
        what,
        took_ns,
        found,
    });
    left
}

fn probed(facts: &Facts) -> ProbedCard {
    ProbedCard {
        ordinal: facts.ordinal,
        name: facts.name.clone(),
        uuid: facts.uuid.clone(),
        capability: facts.capability,
        memory_bytes: facts.memory,
        multiprocessors: facts.multiprocessors,
    }
}

/// A context on a card; what CUDA said if there can be none.
fn context(facts: &Facts) -> Result<Card, Why> {
    Card::with_context(facts).map_err(|error| match super::card::noted_unavailable() {
        Some(unavailable) => {
            let evidence = &unavailable.reason().evidence;
            let (code, words) = evidence.split_once(": ").unwrap_or(("", evidence));
            Why {
                code: code.split(' ').next().unwrap_or_default().to_owned(),
                words: words.to_owned(),
            }
        }
        None => Why::from(error),
    })
}

/// Whole numbers up to `count`, over and over, so that sums of products stay exact.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|at| (at % 7) as f32).collect()
}

/// The result on the card and on the CPU.
fn compared(
    card: &Candle,
    work: impl Fn(&Candle) -> candle_core::Result<Values>,
) -> Result<usize, Why> {
    let there = work(card)?.flatten_all()?.to_vec1::<f32>()?;
    let here = work(&Candle::Cpu)?.flatten_all()?.to_vec1::<f32>()?;
    if there == here {
        Ok(here.len())
    } else {
        Err(Why::of("the card computed other numbers than the CPU"))
    }
}

fn kernel(card: &Candle) -> Result<String, Why> {
    let count = compared(card, |on| {
        let a = Values::from_vec(numbers(SIZE), SIZE, on)?;
        a.add(&a)?.relu()
    })?;
    Ok(format!("{count} sums are those of the CPU"))
}

fn matmul(card: &Candle) -> Result<String, Why> {
    compared(card, |on| {
        let a = Values::from_vec(numbers(SIZE * SIZE), (SIZE, SIZE), on)?;
        a.matmul(&a)
    })?;
    Ok(format!("a product of {SIZE} x {SIZE} is that of the CPU"))
}

fn copy_to(card: &Card) -> Result<(String, Values), Why> {
    let values = Values::from_vec(numbers(COPIED), COPIED, &Candle::Cpu)?;
    let device = card.candle.as_cuda_device()?;
    let there = copies::to_card(&values, device, &card.stream)?;
    card.stream.synchronize().map_err(Trouble::from)?;
    Ok((format!("{} MiB", (COPIED * 4) >> 20), there))
}

fn copy_back(card: &Card, there: &Values) -> Result<String, Why> {
    let back = copies::to_host(there, &card.stream)?.to_vec1::<f32>()?;
    if back == numbers(COPIED) {
        Ok(format!("{} MiB, as they went there", (COPIED * 4) >> 20))
    } else {
        Err(Why::of("what came back is not what went there"))
    }
}

fn memory(card: &Card) -> Result<String, Why> {
    let (free, total) = card.free_and_total()?;
    let mib = |bytes: u64| bytes >> 20;
    let pool = match &card.pool {
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
