fn oldest(major: u32) -> u32 {
    match major {
        11 => 450,
        12 => 525,
        _ => 580,
    }
}

fn first_number(version: &str) -> u32 {
    let first = version.split('.').next();
    first.and_then(|it| it.parse().ok()).unwrap_or(0)
}

fn main() {
    let machines = [
        ("470.256", "11.8"),
        ("470.256", "12.1"),
        ("535.183", "12.9"),
        ("535.183", "13.0"),
        ("580.95", "13.2"),
        ("610.43", "12.6"),
    ];
    for (driver, built) in machines {
        let needed = oldest(first_number(built));
        let fits = first_number(driver) >= needed;
        let word = if fits { "runs" } else { "does not run" };
        println!("driver {driver} {word} CUDA {built}, which needs branch {needed}");
    }
}
