use candle_core::{Device, Result, Tensor};

type Capability = (u32, u32);

const BUILT_FOR: [Capability; 6] = [(7, 5), (8, 0), (8, 6), (9, 0), (10, 0), (12, 0)];
const CARDS: [(&str, Capability); 6] = [
    ("V100", (7, 0)),
    ("T4", (7, 5)),
    ("A100", (8, 0)),
    ("L4", (8, 9)),
    ("H200", (9, 0)),
    ("RTX 5090", (12, 0)),
];

fn serves(built: Capability, card: Capability) -> bool {
    built.0 == card.0 && built.1 <= card.1
}

fn best(card: Capability) -> Option<Capability> {
    let served = BUILT_FOR.into_iter().filter(|it| serves(*it, card));
    served.max()
}

fn main() -> Result<()> {
    let mut without = Vec::new();
    for (name, card) in CARDS {
        let code = match best(card) {
            Some((major, minor)) => format!("{major}.{minor}, sm_{major}{minor}"),
            None => "none".to_owned(),
        };
        println!("{name}: capability {}.{} runs {code}", card.0, card.1);
        without.push(u32::from(best(card).is_none()));
    }
    let without = Tensor::new(without, &Device::Cpu)?;
    let count = without.sum_all()?.to_scalar::<u32>()?;
    println!("cards without code: {count}");
    Ok(())
}
