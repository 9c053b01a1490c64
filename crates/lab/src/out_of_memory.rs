//! PyTorch's out-of-memory message in a few words, for a line of the screen. Pure.

/// What was asked for and what was free, as the message says it; `None` if it says something else.
pub fn in_short(message: &str) -> Option<String> {
    let (_, from) = message.split_once("Tried to allocate ")?;
    let (wanted, rest) = from.split_once(". ")?;
    let (_, free) = rest.split_once("of which ")?;
    let (free, _) = free.split_once(" is free")?;
    Some(format!("it asked for {wanted}, and {free} is free"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_sizes_of_the_message_are_enough() {
        let message = "CUDA out of memory. Tried to allocate 32.00 GiB. GPU 0 has a total capacity of 14.74 GiB of which 14.62 GiB is free. Of the allocated memory 0 bytes is allocated by PyTorch.";
        assert_eq!(
            in_short(message).as_deref(),
            Some("it asked for 32.00 GiB, and 14.62 GiB is free")
        );
        assert_eq!(in_short("DefaultCPUAllocator: not enough memory"), None);
    }
}
