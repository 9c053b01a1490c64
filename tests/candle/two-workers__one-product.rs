use candle_core::{Device, Result, Tensor};

fn score(tickets: &Tensor, weights: &Tensor) -> Result<Tensor> {
    // One product for all of the batch; candle takes the weights once for each ticket.
    tickets.matmul(&weights.broadcast_left(32)?)
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let numbers = Tensor::arange(0f32, 32f32, &Device::Cpu)?.reshape((32, 1, 1))?;
    let tickets = numbers.broadcast_as((32, 128, 768))?.contiguous()?;
    let tickets = tickets.to_device(&device)?;
    let weights = Tensor::full(1f32 / 256f32, (768, 3), &Device::Cpu)?.to_device(&device)?;

    let scores = score(&tickets, &weights)?;
    println!("shape {:?}", scores.dims());
    let last = scores.get(31)?.get(127)?;
    println!("last token {:?}", last.to_vec1::<f32>()?);
    Ok(())
}
