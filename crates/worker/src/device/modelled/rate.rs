//! Time from an amount and a rate.

/// Nanoseconds for an amount at a rate per second, rounded to the nearest.
pub(super) fn ns_at(amount: u64, rate: f64) -> u64 {
    let ns = amount as f64 / rate * 1e9;
    if ns >= u64::MAX as f64 {
        u64::MAX / 4
    } else {
        ns.round() as u64
    }
}
