use candle_core::{DType, Device, Result, Tensor, Var};

fn gradient(weight: &Var, x: &Tensor, y: &Tensor, rows: &[u32]) -> Result<Tensor> {
    let rows = Tensor::new(rows, x.device())?;
    let scores = x.index_select(&rows, 0)?.matmul(&weight.as_tensor().t()?)?;
    let loss = (scores - y.index_select(&rows, 0)?)?.sqr()?.mean_all()?;
    let gradients = loss.backward()?;
    gradients
        .get(weight)
        .map_or_else(|| weight.zeros_like(), |it| Ok(it.clone()))
}

fn line(gradient: &Tensor) -> Result<String> {
    let numbers = gradient.flatten_all()?.to_vec1::<f32>()?;
    let words: Vec<String> = numbers.iter().map(|it| format!("{it:.4}")).collect();
    Ok(words.join(" "))
}

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let cards = 4u32;
    let features: Vec<f32> = (0..64u8).map(|it| f32::from(it % 5)).collect();
    let features = Tensor::from_vec(features, (16, 4), &device)?;
    let targets: Vec<f32> = (0..16u8).map(|it| f32::from(it % 3)).collect();
    let targets = Tensor::from_vec(targets, (16, 1), &device)?;
    let weight = Var::from_tensor(&Tensor::full(0.5f32, (1, 4), &device)?)?;

    let all: Vec<u32> = (0..16).collect();
    let whole = gradient(&weight, &features, &targets, &all)?;
    let mut sum = Tensor::zeros((1, 4), DType::F32, &device)?;
    for rank in 0..cards {
        let rows: Vec<u32> = (0..16).filter(|row| row % cards == rank).collect();
        println!("card {rank}: rows {rows:?}");
        sum = (sum + gradient(&weight, &features, &targets, &rows)?)?;
    }

    println!("whole batch {}", line(&whole)?);
    println!("added {}", line(&sum)?);
    println!("averaged {}", line(&(sum / f64::from(cards))?)?);
    Ok(())
}
