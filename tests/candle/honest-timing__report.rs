const TIMES_MS: [f64; 11] = [4.1, 4.0, 4.2, 19.7, 4.1, 4.3, 4.0, 31.2, 4.2, 4.1, 4.4];

fn report(times: [f64; 11]) -> (f64, f64, f64) {
    let mut ordered = times;
    ordered.sort_by(f64::total_cmp);
    (ordered[5], ordered[2], ordered[8])
}

fn main() {
    let (middle, low, high) = report(TIMES_MS);
    let repeats = TIMES_MS.len();
    println!("{middle:.1} ms, from {low:.1} to {high:.1} ms, {repeats} repeats");
}
