//! Signals that this process ignores since it was started so, as `nohup` does: they stay ignored.

/// Those of these signals that are not ignored, as far as the system says.
pub(super) fn without_ignored(signals: &[i32]) -> Vec<i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|it| it.strip_prefix("SigIgn:"));
    not_in(mask.unwrap_or_default().trim(), signals)
}

/// Those that are not in a mask in the digits of the kernel.
fn not_in(mask: &str, signals: &[i32]) -> Vec<i32> {
    let mask = u64::from_str_radix(mask, 16).unwrap_or(0);
    let is_heard = |it: &i32| (mask >> (it - 1)) & 1 == 0;
    signals.iter().copied().filter(is_heard).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    #[test]
    fn what_nohup_ignores_stays_ignored() {
        let all = [SIGHUP, SIGINT, SIGTERM];
        assert_eq!(not_in("0000000000001001", &all), all[1..]);
        assert_eq!(not_in("", &all), all);
    }
}
