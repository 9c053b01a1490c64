use candle_core::{Device, Result, Tensor};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;

    let tickets = ["let me in", "my badge is lost", "two guests at noon"];
    let lengths = tickets.map(|ticket| ticket.split(' ').count() as f32);

    let words = Tensor::new(&lengths, &Device::Cpu)?.to_device(&device)?;
    let scores = (&words * 10.0)?;
    let total = scores.sum_all()?.to_scalar::<f32>()?;

    println!("total score {total:?}");
    if total > 100.0 {
        println!("send for help");
    }
    println!("scores are on {:?}", scores.device().location());
    Ok(())
}
