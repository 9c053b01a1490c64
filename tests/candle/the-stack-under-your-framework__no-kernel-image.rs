use candle_core::{Device, Result, Tensor};

type Capability = (u32, u32);

const CARDS: [(&str, Capability); 3] = [("T4", (7, 5)), ("L4", (8, 9)), ("H100", (9, 0))];

fn what_happens(card: Capability, sass: &[Capability], ptx: &[Capability]) -> &'static str {
    if sass.iter().any(|it| it.0 == card.0 && *it <= card) {
        return "runs at once";
    }
    if ptx.iter().any(|it| *it <= card) {
        return "runs after the driver has compiled";
    }
    "no kernel image"
}

fn main() -> Result<()> {
    let with_ptx: &[Capability] = &[(8, 0)];
    let mut failed = Vec::new();
    for (title, ptx) in [("SASS alone", &[][..]), ("SASS and PTX", with_ptx)] {
        for (name, card) in CARDS {
            let result = what_happens(card, &[(8, 0)], ptx);
            failed.push(u32::from(result == "no kernel image"));
            println!("{title}, {name} {}.{}: {result}", card.0, card.1);
        }
    }
    let all = failed.len();
    let count = Tensor::new(failed, &Device::Cpu)?.sum_all()?;
    println!("without a kernel: {} of {all}", count.to_scalar::<u32>()?);
    Ok(())
}
