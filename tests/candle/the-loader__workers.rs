use std::hint;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

use candle_core::{DType, Device, Error, Result, Tensor};

const BATCHES: usize = 24;

/// Reads and decodes eight pictures: the CPU is busy for so long.
fn make(number: usize, picture: Duration) -> Result<Tensor> {
    let start = Instant::now();
    while start.elapsed() < 8 * picture {
        hint::spin_loop();
    }
    Tensor::full(number as f32, (8, 3, 64, 64), &Device::Cpu)
}

/// Workers are threads here, so no batch has to cross from process to process.
fn step_ms(workers: usize, picture: Duration, heavy: &Tensor) -> Result<f64> {
    let device = heavy.device();
    thread::scope(|scope| {
        let mut made = Vec::new();
        for worker in 0..workers {
            let (send, receive) = sync_channel(2); // as a `prefetch_factor` of 2
            made.push(receive);
            scope.spawn(move || {
                for number in (worker..BATCHES).step_by(workers) {
                    if send.send(make(number, picture)).is_err() {
                        break; // the loop has ended
                    }
                }
            });
        }

        let mut start = Instant::now();
        for number in 0..BATCHES {
            if number == 8 {
                device.synchronize()?;
                start = Instant::now();
            }
            let batch = if workers == 0 {
                make(number, picture)?
            } else {
                made[number % workers].recv().map_err(Error::wrap)??
            };
            batch.to_device(device)?;
            heavy.matmul(heavy)?; // in place of the layers of a model
        }
        device.synchronize()?;
        Ok(1000.0 * start.elapsed().as_secs_f64() / 16.0)
    })
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let n = if device.is_cuda() { 2600 } else { 16 };
    let heavy = Tensor::ones((n, n), DType::F32, &device)?;
    heavy.matmul(&heavy)?; // starts cuBLAS

    let picture = Duration::from_micros(if device.is_cuda() { 4000 } else { 250 });
    for workers in [0, 1, 2, 3, 4, 6, 8] {
        let ms = step_ms(workers, picture, &heavy)?;
        println!("{workers} workers: {ms:.1} ms a step");
    }
    Ok(())
}
