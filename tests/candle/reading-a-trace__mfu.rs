use std::time::Instant;

use candle_core::{DType, Device, Result, Tensor};
use candle_nn::{Activation, Module, Optimizer, SGD, VarBuilder, VarMap, linear, seq};

const PEAK: f64 = 8.1e12; // FLOP/s in f32, from the data sheet of the T4

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let width = if device.is_cuda() { 512 } else { 16 };
    let length = width / 4;
    let weights = VarMap::new();
    let builder = VarBuilder::from_varmap(&weights, DType::F32, &device);
    let mut model = seq();
    for number in 0..6 {
        let block = builder.pp(number);
        model = model
            .add(linear(width, 4 * width, block.pp("wide"))?)
            .add(Activation::Gelu)
            .add(linear(4 * width, width, block.pp("narrow"))?);
    }
    let mut optimizer = SGD::new(weights.all_vars(), 0.1)?;
    let parameters: usize = weights.all_vars().iter().map(|it| it.elem_count()).sum();

    // candle has no profiler. This takes a clock that is read when the card is done.
    for batch in [1, 2, 4, 8, 16, 32] {
        let texts = Tensor::ones((batch, length, width), DType::F32, &device)?;
        let mut step = || {
            let loss = model.forward(&texts)?.sqr()?.mean_all()?;
            optimizer.backward_step(&loss)
        };
        step()?;
        device.synchronize()?;
        let start = Instant::now();
        for _ in 0..5 {
            step()?;
        }
        device.synchronize()?;
        let took = start.elapsed().as_secs_f64() / 5.0;
        let tokens = batch * length;
        let share = 100.0 * (6 * parameters * tokens) as f64 / took / PEAK;
        let ms = 1000.0 * took;
        println!("{tokens:5} tokens: {ms:5.1} ms, MFU {share:.1} %");
    }
    println!("million parameters: {:.1}", parameters as f64 / 1e6);
    Ok(())
}
