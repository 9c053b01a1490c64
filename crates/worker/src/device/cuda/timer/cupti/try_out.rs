//! Tries CUPTI before a program relies on it: it may accept every call and deliver nothing, as under some hypervisors.

use super::super::super::context::CardContext;
use super::ActivityTimer;
use crate::device::timing::{Completion, DeviceWork, WorkId};
use candle_core::{DType, Tensor as Values};
use std::time::Instant;

/// Lets the driver fill a little memory and cuBLAS multiply, each under a number, and looks whether the records come back
/// with times that are right: the two call the card in different ways.
pub(super) fn gives_times(timer: &mut ActivityTimer, card: &CardContext) -> Result<(), String> {
    let words = |error: candle_core::Error| error.to_string();
    let stream = &card.stream;
    let zeros = Values::zeros((16, 16), DType::F32, &card.candle).map_err(words)?;
    let began = Instant::now();
    timer.start_clock(began);
    timer.start();
    let filled = stream.alloc_zeros::<u8>(256).map_err(|it| it.to_string())?;
    let fill = ended(timer)?;
    timer.start();
    let product = zeros.matmul(&zeros).map_err(words)?;
    let multiply = ended(timer)?;
    drop((filled, product));
    stream.synchronize().map_err(|it| it.to_string())?;
    timer.all_is_done();
    let until_ns = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
    [fill, multiply]
        .into_iter()
        .try_for_each(|work| is_right(timer.completion(work), until_ns))
}

fn ended(timer: &mut ActivityTimer) -> Result<WorkId, String> {
    let work = timer.end();
    work.ok_or_else(|| "cuptiActivityPushExternalCorrelationId fails".to_owned())
}

fn is_right(completion: Completion, until_ns: u64) -> Result<(), String> {
    match completion {
        Completion::Done(DeviceWork {
            when: Some(when), ..
        }) => {
            // The clocks are compared within microseconds.
            let is_within = when.end_ns <= until_ns.saturating_add(100_000);
            if when.start_ns <= when.end_ns && is_within {
                Ok(())
            } else {
                Err("its times are not those of this machine's clock".to_owned())
            }
        }
        Completion::Lost => Err("it does not deliver records when it is asked for them".to_owned()),
        Completion::Done(_) | Completion::NotYet => {
            Err("it accepts every call, and delivers no record".to_owned())
        }
    }
}
