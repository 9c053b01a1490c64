use candle_core::{Device, Error, Result, Tensor};

fn first_number(version: &str) -> Result<u32> {
    let first = version.split('.').next().unwrap_or(version);
    first.parse().map_err(Error::wrap)
}

fn runs(driver: &str, toolkit: &str) -> Result<bool> {
    let oldest = match first_number(toolkit)? {
        11 => 450,
        12 => 525,
        13 => 580,
        _ => candle_core::bail!("no line for CUDA {toolkit}"),
    };
    Ok(first_number(driver)? >= oldest)
}

fn main() -> Result<()> {
    let machines = [
        ("470.256.02", "11.8"),
        ("470.256.02", "12.1"),
        ("535.183.01", "12.9"),
        ("535.183.01", "13.0"),
        ("580.95.05", "13.0"),
        ("580.95.05", "12.4"),
    ];
    let mut fits = Vec::new();
    for (driver, toolkit) in machines {
        let fit = runs(driver, toolkit)?;
        let word = if fit { "runs" } else { "does not run" };
        println!("driver {driver} {word} CUDA {toolkit}");
        fits.push(u32::from(fit));
    }
    let fits = Tensor::new(fits, &Device::Cpu)?;
    println!("pairs that fit: {}", fits.sum_all()?.to_scalar::<u32>()?);
    Ok(())
}
