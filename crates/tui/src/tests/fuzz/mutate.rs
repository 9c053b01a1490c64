//! New inputs from known ones: pieces are moved, doubled, cut, replaced by what formats give a meaning to.

/// Makes inputs.
pub(super) struct Mutator {
    dice: u64,
    corpus: Vec<Vec<u8>>,
}

/// An input grows no longer than this.
const MOST: usize = 64 << 10;

/// What the formats give a meaning to, and numbers at the edges.
const TOKENS: &[&str] = &[
    "+++\n",
    "```",
    "```python lab id=a\n",
    "```python check=a\n",
    "> ",
    "- ",
    "1. ",
    "| a | b |\n|---|---|\n",
    "&#27;",
    "&#x202e;",
    "[a](b)",
    "![",
    "**",
    "`",
    "{#id}",
    "## ",
    "<!--",
    "\\",
    "    ",
    "\t",
    "\r\n",
    "\0",
    "\x1b[2J",
    "\u{202e}",
    "漢",
    "e\u{301}",
    "[[question]]\n",
    "type = \"order\"\n",
    "id = \"\"",
    " = ",
    "\"",
    "'''",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "null",
    "true",
    "-1",
    "0",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e999",
    "NaN",
    "-0.0",
    "4294967296",
    "\"run\":1",
    "\"say\":\"output\"",
    "\"say\":\"spans\"",
    "\"how\":\"done\"",
    "\\ud800",
    "\\u0000",
];

impl Mutator {
    pub(super) fn new(seed: u64, corpus: Vec<Vec<u8>>) -> Self {
        assert!(!corpus.is_empty());
        Self {
            dice: seed | 1,
            corpus,
        }
    }

    /// The next input.
    pub(super) fn next(&mut self) -> Vec<u8> {
        let at = self.below(self.corpus.len());
        let mut input = self.corpus[at].clone();
        for _ in 0..=self.below(5) {
            self.change(&mut input);
            input.truncate(MOST);
        }
        if self.below(20) == 0 {
            self.corpus.push(input.clone());
        }
        input
    }

    fn below(&mut self, most: usize) -> usize {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        usize::try_from(self.dice % most.max(1) as u64).unwrap()
    }

    /// A piece of an input.
    fn piece(&mut self, of: &[u8]) -> Vec<u8> {
        let from = self.below(of.len() + 1);
        let length = self.below((of.len() - from).min(400) + 1);
        of[from..from + length].to_vec()
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        match self.below(9) {
            0 if at < input.len() => input[at] ^= 1 << self.below(8),
            1 if at < input.len() => input[at] = u8::try_from(self.below(256)).unwrap(),
            2 => {
                let end = (at + self.below(60)).min(input.len());
                input.drain(at..end);
            }
            3 => input.truncate(at),
            4 => {
                let piece = self.piece(&input.clone());
                insert(input, at, &piece);
            }
            5 => {
                let other = self.below(self.corpus.len());
                let other = self.corpus[other].clone();
                let piece = self.piece(&other);
                insert(input, at, &piece);
            }
            6 => {
                let many = [2, 10, 300][self.below(3)];
                let token = TOKENS[self.below(TOKENS.len())].repeat(many);
                insert(input, at, token.as_bytes());
            }
            _ => {
                let token = TOKENS[self.below(TOKENS.len())];
                insert(input, at, token.as_bytes());
            }
        }
    }
}

fn insert(input: &mut Vec<u8>, at: usize, piece: &[u8]) {
    input.splice(at..at, piece.iter().copied());
}
