//! The Mersenne Twister MT19937, which PyTorch draws with too (`random`), and what NumPy's legacy functions
//! (`numpy.random.seed`, `rand`, `randint` and so on) draw with it, number for number. It makes no tensors: `numpy` does.
//!
//! Source: `mt19937.c`, `legacy-distributions.c` and `distributions.c` in `numpy/random/src`.

const SIZE: usize = 624;
const DISTANCE: usize = 397;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Mersenne {
    words: Vec<u32>,
    next: usize,
    /// The second of two normal numbers, which are made together.
    spare: Option<f64>,
}

impl Mersenne {
    /// The stream of `numpy.random.seed(seed)`.
    pub(super) fn new(seed: u32) -> Self {
        let mut words = Vec::with_capacity(SIZE);
        let mut word = seed;
        for at in 1..=SIZE as u32 {
            words.push(word);
            word = 1_812_433_253_u32
                .wrapping_mul(word ^ (word >> 30))
                .wrapping_add(at);
        }
        Self {
            words,
            next: SIZE,
            spare: None,
        }
    }

    /// The words, how many of them are used, and the normal number that is left over.
    pub(super) fn state(&self) -> (Vec<u32>, usize, Option<f64>) {
        (self.words.clone(), self.next, self.spare)
    }

    /// The stream of a state; `None` if it is none.
    pub(super) fn of_state(words: Vec<u32>, next: usize, spare: Option<f64>) -> Option<Self> {
        (words.len() == SIZE && next <= SIZE).then_some(Self { words, next, spare })
    }

    /// The next words, of which the first ones are made of the last.
    fn refill(&mut self) {
        let old = self.words.clone();
        let pairs = old.iter().zip(old.iter().skip(1));
        let twists: Vec<u32> = pairs.map(|(a, b)| twist(*a, *b)).collect();
        let (first, rest) = self.words.split_at_mut(SIZE - DISTANCE);
        let (second, third) = rest.split_at_mut(SIZE - DISTANCE);
        let mut twists = twists.iter();
        let far = old.iter().skip(DISTANCE);
        for ((word, far), twist) in first.iter_mut().zip(far).zip(twists.by_ref()) {
            *word = far ^ twist;
        }
        for ((word, far), twist) in second.iter_mut().zip(&*first).zip(twists.by_ref()) {
            *word = far ^ twist;
        }
        let last = [old.last(), first.first()].map(|it| it.copied().unwrap_or(0));
        let last = twist(last[0], last[1]);
        let twists = twists.chain(std::iter::once(&last));
        for ((word, far), twist) in third.iter_mut().zip(&*second).zip(twists) {
            *word = far ^ twist;
        }
        self.next = 0;
    }

    pub(super) fn u32(&mut self) -> u32 {
        if self.next >= SIZE {
            self.refill();
        }
        let word = self.words.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        tempered(word)
    }

    /// So many words.
    pub(super) fn words(&mut self, count: usize) -> Vec<u32> {
        let mut made = Vec::with_capacity(count);
        while made.len() < count {
            if self.next >= SIZE {
                self.refill();
            }
            let left = self.words.iter().skip(self.next);
            let before = made.len();
            made.extend(left.take(count - before).copied().map(tempered));
            self.next += made.len() - before;
        }
        made
    }

    pub(super) fn u64(&mut self) -> u64 {
        (u64::from(self.u32()) << 32) | u64::from(self.u32())
    }

    /// A number from 0 to 1, without 1.
    pub(super) fn uniform(&mut self) -> f64 {
        let (high, low) = (self.u32() >> 5, self.u32() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// A normal number, by Marsaglia's polar method.
    pub(super) fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (a, b) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = a * a + b * b;
            if square < 1.0 && square != 0.0 {
                let factor = (-2.0 * square.ln() / square).sqrt();
                self.spare = Some(factor * a);
                return factor * b;
            }
        }
    }

    /// A whole number from 0 to `last`, both included.
    pub(super) fn up_to(&mut self, last: u64) -> u64 {
        if last == 0 {
            return 0;
        }
        let mask = u64::MAX >> last.leading_zeros();
        loop {
            let drawn = if u32::try_from(last).is_ok() {
                u64::from(self.u32())
            } else {
                self.u64()
            };
            if drawn & mask <= last {
                return drawn & mask;
            }
        }
    }

    /// The numbers below `count` in a random order, as `numpy.random.permutation` gives them.
    pub(super) fn permutation(&mut self, count: usize) -> Vec<i64> {
        let mut order: Vec<i64> = (0..count as i64).collect();
        for last in (1..count).rev() {
            let other = self.up_to(last as u64) as usize;
            order.swap(last, other);
        }
        order
    }
}

/// What a word and the next one add to the word that is made.
fn twist(word: u32, next: u32) -> u32 {
    let joined = (word & 0x8000_0000) | (next & 0x7fff_ffff);
    let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
    (joined >> 1) ^ odd
}

/// What is drawn of a word.
fn tempered(mut word: u32) -> u32 {
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c_5680;
    word ^= (word << 15) & 0xefc6_0000;
    word ^ (word >> 18)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference values are those of NumPy 2.4.6.
    #[test]
    fn the_stream_is_that_of_numpy() {
        let mut stream = Mersenne::new(0);
        assert_eq!(stream.uniform().to_string(), "0.5488135039273248");
        let mut stream = Mersenne::new(42);
        assert_eq!(stream.normal().to_string(), "0.4967141530112327");
        assert_eq!(stream.normal().to_string(), "-0.13826430117118466");
        let mut stream = Mersenne::new(1);
        assert_eq!(stream.permutation(6), [2, 1, 4, 0, 3, 5]);
        // The word that the C++ standard names for the seed 5489.
        let mut stream = Mersenne::new(5489);
        assert_eq!(stream.words(10_000).last(), Some(&4_123_659_995));
    }

    #[test]
    fn words_at_once_are_those_one_by_one() {
        let (mut several, mut one) = (Mersenne::new(7), Mersenne::new(7));
        for count in [0, 1, 5, 623, 1, 624, 2000] {
            let made: Vec<u32> = (0..count).map(|_| one.u32()).collect();
            assert_eq!(several.words(count), made);
        }
    }
}
