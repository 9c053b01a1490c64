use candle_core::{DType, Device, Result, Tensor};
use candle_nn::{Module, VarBuilder, VarMap, linear, loss::cross_entropy};

fn main() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let weights = VarMap::new();
    let builder = VarBuilder::from_varmap(&weights, DType::F32, &device);
    let wide = linear(256, 2048, builder.pp("wide"))?;
    let narrow = linear(2048, 10, builder.pp("narrow"))?;
    let texts = Tensor::ones((512, 256), DType::F32, &device)?;
    let labels = Tensor::zeros(512, DType::I64, &device)?;

    let mut losses = Vec::new();
    let mut kept = Vec::new();
    for _ in 0..8 {
        let scores = narrow.forward(&wide.forward(&texts)?.relu()?)?.detach();
        losses.push(cross_entropy(&scores, &labels)?.to_scalar::<f32>()?);
        kept.push(scores.argmax(1)?.to_device(&Device::Cpu)?);
        kept.push(scores.max(1)?.max(0)?);
    }

    let graphs = kept.iter().filter(|it| it.track_op()).count();
    let count = losses.len() + kept.len();
    println!("kept {count} values, of which {graphs} with a graph");
    Ok(())
}
