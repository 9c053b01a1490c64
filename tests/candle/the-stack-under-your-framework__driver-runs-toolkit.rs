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

fn driver_version(banner: &str) -> &str {
    let after = banner.split("Version:").nth(1).unwrap_or(banner);
    after.split_whitespace().next().unwrap_or(after)
}

fn main() {
    let old = "Driver Version: 470.256.02    CUDA Version: 11.4";
    let middle = "Driver Version: 535.183.01    CUDA Version: 12.2";
    let new = "Driver Version: 580.95.05     CUDA Version: 13.0";
    let newest = "KMD Version: 610.43.02     CUDA UMD Version: 13.3";
    let machines = [
        (old, "11.8"),
        (old, "12.1"),
        (middle, "12.9"),
        (middle, "13.0"),
        (new, "13.2"),
        (newest, "12.6"),
    ];
    for (banner, built) in machines {
        let driver = driver_version(banner);
        let needed = oldest(first_number(built));
        let fits = first_number(driver) >= needed;
        let word = if fits { "runs" } else { "does not run" };
        println!("driver {driver} {word} CUDA {built}, which needs branch {needed}");
    }
}
