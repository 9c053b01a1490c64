//! Reads `PYTORCH_ALLOC_CONF` as PyTorch does, with its messages.
//!
//! PyTorch takes the text apart into words and marks, and hardly looks whether the marks are the right ones.

use super::options::{AllocatorOptions, INTERVALS};
use crate::error::{Kind, TorchError};

const MIB: u64 = 1 << 20;

/// Options that change the allocator.
const KNOWN: [&str; 7] = [
    "expandable_segments",
    "garbage_collection_threshold",
    "large_segment_size_mb",
    "max_non_split_rounding_mb",
    "max_split_size_mb",
    "per_process_memory_fraction",
    "roundup_power2_divisions",
];

/// Options of PyTorch's that change nothing here: those of pinned memory, locks and captured graphs.
const WITHOUT_EFFECT: [&str; 15] = [
    "backend",
    "expandable_segments_reserve",
    "expandable_segments_reserve_by_class",
    "graph_capture_record_stream_reuse",
    "pinned_free_catch_all",
    "pinned_max_cached_size_mb",
    "pinned_max_round_threshold_mb",
    "pinned_num_register_threads",
    "pinned_reserve_segment_size_mb",
    "pinned_use_background_threads",
    "pinned_use_cuda_host_register",
    "pinned_use_hip_host_register",
    "release_lock_on_cudamalloc",
    "release_lock_on_hipmalloc",
    "throw_on_cudamalloc_oom",
];

impl AllocatorOptions {
    /// The options that a text names, such as `expandable_segments:True,max_split_size_mb:128`.
    pub(crate) fn parse(text: &str) -> Result<Self, TorchError> {
        let mut words = Words::of(text);
        let mut options = Self::default();
        while let Some(key) = words.next_key() {
            options.set(&key, &mut words)?;
            // Over what should be a comma.
            words.at += 2;
        }
        Ok(options)
    }

    fn set(&mut self, key: &str, words: &mut Words) -> Result<(), TorchError> {
        check(
            KNOWN.contains(&key) || WITHOUT_EFFECT.contains(&key),
            &format!("Unrecognized key '{key}' in Accelerator allocator config."),
        )?;
        words.value()?;
        match key {
            "expandable_segments" => self.expandable = words.bool()?,
            "large_segment_size_mb" => {
                let size = words.mib()?;
                check(
                    size > 10 * MIB,
                    "CachingAllocator option large_segment_size_mb must be > 10 MB",
                )?;
                self.large_segment = size;
            }
            "max_split_size_mb" | "max_non_split_rounding_mb" => {
                let size = words.mib()?;
                let least = self.large_segment / MIB;
                let said = format!("CachingAllocator option {key} too small, must be >= {least}");
                check(size >= self.large_segment, &said)?;
                if key == "max_split_size_mb" {
                    self.max_split = size;
                } else {
                    self.max_rounding = size;
                }
            }
            "garbage_collection_threshold" => {
                let share = words.number()?;
                check(
                    share > 0.0 && share < 1.0,
                    "garbage_collect_threshold is invalid, set it in (0.0, 1.0)",
                )?;
                self.garbage = Some(share);
            }
            "per_process_memory_fraction" => {
                let share = words.number()?;
                check(
                    (0.0..=1.0).contains(&share),
                    "per_process_memory_fraction is invalid, set it in [0.0, 1.0]",
                )?;
                self.fraction = Some(share);
            }
            "roundup_power2_divisions" => self.set_divisions(words)?,
            _ => words.skip_list()?,
        }
        Ok(())
    }

    /// One number for all sizes, or a list of sizes in MiB with a number each.
    fn set_divisions(&mut self, words: &mut Words) -> Result<(), TorchError> {
        if words.word()? != "[" {
            let divisions = words.integer()?;
            check(
                divisions.is_power_of_two(),
                "For roundups, the divisions has to be power of 2 ",
            )?;
            self.divisions = [divisions; INTERVALS];
            return Ok(());
        }
        let mut last = None;
        loop {
            words.at += 1;
            let size = words.word()?.to_owned();
            if size == "]" {
                return Ok(());
            }
            if size == "," {
                continue;
            }
            let of_size = size.parse::<u64>();
            words.at += 1;
            words.value()?;
            let divisions = words.integer()?;
            check(
                divisions == 0 || divisions.is_power_of_two(),
                "For roundups, the divisions has to be power of 2 or 0 to disable roundup ",
            )?;
            let first = match (size == ">", of_size) {
                (true, _) => {
                    let rest = self.divisions.iter_mut().skip(last.map_or(0, |it| it + 1));
                    rest.for_each(|it| *it = divisions);
                    continue;
                }
                (false, Ok(size)) if size.is_power_of_two() => size.ilog2() as usize,
                (false, Ok(_) | Err(_)) => {
                    return check(false, "For roundups, the intervals have to be power of 2 ");
                }
            };
            let at = first.min(INTERVALS - 1);
            // The first one holds for all smaller sizes, too.
            let from = if last.is_none() { 0 } else { at };
            let some = self.divisions.iter_mut().take(at + 1).skip(from);
            some.for_each(|it| *it = divisions);
            last = Some(at);
        }
    }
}

/// The text in words and marks, and the one that is read.
struct Words {
    all: Vec<String>,
    at: usize,
}

impl Words {
    fn of(text: &str) -> Self {
        let mut all = vec![String::new()];
        for letter in text.chars().filter(|it| !it.is_whitespace()) {
            if matches!(letter, ',' | ':' | '[' | ']') {
                all.extend([letter.to_string(), String::new()]);
            } else if let Some(last) = all.last_mut() {
                last.push(letter);
            }
        }
        all.retain(|it| !it.is_empty());
        Self { all, at: 0 }
    }

    fn next_key(&mut self) -> Option<String> {
        let key = self.all.get(self.at).cloned();
        self.at += 1;
        key
    }

    /// Goes on to the value, over what should be a colon.
    fn value(&mut self) -> Result<(), TorchError> {
        self.word()?;
        self.at += 1;
        self.word().map(drop)
    }

    /// Goes to the end of a value that is a list.
    fn skip_list(&mut self) -> Result<(), TorchError> {
        if self.word()? == "[" {
            while self.word()? != "]" {
                self.at += 1;
            }
        }
        Ok(())
    }

    fn word(&self) -> Result<&str, TorchError> {
        let word = self.all.get(self.at).map(String::as_str);
        word.ok_or_else(|| {
            TorchError::runtime(
                "Index out of bounds in ConfigTokenizer\nPYTORCH_ALLOC_CONF has a key without a value: write key:value, with commas between them",
            )
        })
    }

    fn bool(&self) -> Result<bool, TorchError> {
        match self.word()? {
            "True" => Ok(true),
            "False" => Ok(false),
            other => Err(TorchError::new(
                Kind::Value,
                format!(
                    "Expected 'True' or 'False' at index {} in ConfigTokenizer but got '{other}'",
                    self.at
                ),
            )),
        }
    }

    /// The digits that a word begins with.
    fn integer(&self) -> Result<u64, TorchError> {
        let word = self.word()?;
        let end = word.find(|it: char| !it.is_ascii_digit());
        let digits = word.get(..end.unwrap_or(word.len())).unwrap_or_default();
        digits
            .parse()
            .or_else(|_not_a_number| check(false, "stoull").map(|()| 0))
    }

    fn mib(&self) -> Result<u64, TorchError> {
        Ok(self.integer()?.saturating_mul(MIB))
    }

    fn number(&self) -> Result<f64, TorchError> {
        let word = self.word()?.parse();
        word.or_else(|_not_a_number| check(false, "stod").map(|()| 0.0))
    }
}

fn check(holds: bool, said: &str) -> Result<(), TorchError> {
    if holds {
        return Ok(());
    }
    Err(TorchError::new(Kind::Value, said))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first line of what a text is refused with.
    fn refused(text: &str) -> String {
        match AllocatorOptions::parse(text) {
            Ok(_) => "ok".to_owned(),
            Err(error) => error.message.lines().next().unwrap_or_default().to_owned(),
        }
    }

    /// The messages of `torch._C._accelerator_setAllocatorSettings` in PyTorch 2.15.
    #[test]
    fn mistakes_have_pytorchs_messages() {
        let texts = [
            "foo:1",
            "malloc_fraction=0.5",
            "expandable_segments:true",
            "expandable_segments:True;max_split_size_mb:128",
            "max_split_size_mb:10",
            "max_split_size_mb:12x8",
            "max_split_size_mb:abc",
            "max_split_size_mb",
            "max_split_size_mb:128 garbage_collection_threshold:0.6",
            "large_segment_size_mb:1",
            "large_segment_size_mb:64,max_non_split_rounding_mb:1",
            "garbage_collection_threshold:1.5",
            "garbage_collection_threshold:x",
            "per_process_memory_fraction:2",
            "roundup_power2_divisions:3",
            "roundup_power2_divisions:[256:3]",
            "roundup_power2_divisions:[300:4]",
            "roundup_power2_divisions:[256:1",
        ];
        let said: Vec<_> = texts
            .iter()
            .map(|it| format!("{it}: {}", refused(it)))
            .collect();
        insta::assert_snapshot!(said.join("\n"), @r"
        foo:1: Unrecognized key 'foo' in Accelerator allocator config.
        malloc_fraction=0.5: Unrecognized key 'malloc_fraction=0.5' in Accelerator allocator config.
        expandable_segments:true: Expected 'True' or 'False' at index 2 in ConfigTokenizer but got 'true'
        expandable_segments:True;max_split_size_mb:128: Expected 'True' or 'False' at index 2 in ConfigTokenizer but got 'True;max_split_size_mb'
        max_split_size_mb:10: CachingAllocator option max_split_size_mb too small, must be >= 20
        max_split_size_mb:12x8: CachingAllocator option max_split_size_mb too small, must be >= 20
        max_split_size_mb:abc: stoull
        max_split_size_mb: Index out of bounds in ConfigTokenizer
        max_split_size_mb:128 garbage_collection_threshold:0.6: Unrecognized key '0.6' in Accelerator allocator config.
        large_segment_size_mb:1: CachingAllocator option large_segment_size_mb must be > 10 MB
        large_segment_size_mb:64,max_non_split_rounding_mb:1: CachingAllocator option max_non_split_rounding_mb too small, must be >= 64
        garbage_collection_threshold:1.5: garbage_collect_threshold is invalid, set it in (0.0, 1.0)
        garbage_collection_threshold:x: stod
        per_process_memory_fraction:2: per_process_memory_fraction is invalid, set it in [0.0, 1.0]
        roundup_power2_divisions:3: For roundups, the divisions has to be power of 2 
        roundup_power2_divisions:[256:3]: For roundups, the divisions has to be power of 2 or 0 to disable roundup 
        roundup_power2_divisions:[300:4]: For roundups, the intervals have to be power of 2 
        roundup_power2_divisions:[256:1: Index out of bounds in ConfigTokenizer
        ");
    }

    #[test]
    fn what_pytorch_takes_is_taken() {
        for text in [
            "",
            "max_split_size_mb:128,",
            "max_split_size_mb: 128 , garbage_collection_threshold: 0.6",
            "pinned_use_background_threads:True,expandable_segments:False",
            "backend:native",
            "roundup_power2_divisions:[>:0]",
        ] {
            assert_eq!(refused(text), "ok", "{text}");
        }
        let both = AllocatorOptions::parse("expandable_segments:True,max_split_size_mb:512");
        let both = both.unwrap();
        assert!(both.expandable);
        assert_eq!(both.max_split, 512 << 20);
    }
}
