//! A lesson without the solutions of its labs and the notes for instructors.
//!
//! Line by line, so that all else stays as its author wrote it.

/// The text of a lesson file without them.
pub(super) fn without_keys(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.split_inclusive('\n');
    let mut is_head = text.starts_with("+++");
    let mut fence: Option<Fence> = None;
    let mut note = Note::default();
    while let Some(line) = lines.next() {
        if is_head {
            is_head = out.is_empty() || line.trim_end() != "+++";
            out.push_str(line);
            continue;
        }
        if let Some(open) = &fence {
            let (is_kept, is_over) = (open.is_kept, open.is_closed_by(line));
            if is_kept && !note.is_open() {
                out.push_str(line);
            }
            if is_over {
                fence = None;
            }
            continue;
        }
        if let Some(opened) = Fence::opened_by(line) {
            let solution = opened.solution_of(line);
            if !note.is_open() {
                match &solution {
                    Some(withheld) => out.push_str(withheld),
                    None => out.push_str(line),
                }
            }
            fence = Some(Fence {
                is_kept: solution.is_none(),
                ..opened
            });
            continue;
        }
        // The summary may be on the line below `<details>`.
        let ahead = lines.clone().next().unwrap_or_default();
        if !note.takes(line, ahead) {
            out.push_str(line);
        }
    }
    out
}

/// A fenced block.
#[derive(Clone, Debug)]
struct Fence {
    /// What is in front of it: spaces, and the signs of quotations around it.
    before: String,
    /// The sign that it is made of.
    sign: char,
    length: usize,
    is_kept: bool,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let rest = line.trim_start_matches([' ', '>', '\t']);
        let sign = rest.chars().next().filter(|it| ['`', '~'].contains(it))?;
        let length = rest.chars().take_while(|it| *it == sign).count();
        let info = rest.trim_start_matches(sign);
        // Code in a line may begin with three backticks, too.
        if length < 3 || (sign == '`' && info.contains('`')) {
            return None;
        }
        Some(Self {
            before: line.strip_suffix(rest).unwrap_or_default().to_owned(),
            sign,
            length,
            is_kept: true,
        })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let rest = line.trim_start_matches([' ', '>', '\t']).trim_end();
        rest.chars().count() >= self.length && rest.chars().all(|it| it == self.sign)
    }

    /// What takes the place of a block with a solution; `None` for any other block.
    fn solution_of(&self, line: &str) -> Option<String> {
        let words = line.split('"').next()?.split_whitespace();
        let solution = words.into_iter().find(|it| it.starts_with("solution="))?;
        let fence = self.sign.to_string().repeat(self.length);
        let before = &self.before;
        Some(format!(
            "{before}{fence}python {solution} withheld\n{before}{fence}\n"
        ))
    }
}

/// The note for instructors that the lines are in, if they are in one.
#[derive(Debug, Default)]
struct Note {
    /// How many folded parts are open from the note on.
    depth: usize,
}

impl Note {
    fn is_open(&self) -> bool {
        self.depth > 0
    }

    /// Whether a line belongs to a note.
    fn takes(&mut self, line: &str, ahead: &str) -> bool {
        let opens = line.matches("<details").count();
        if self.depth == 0 && (opens == 0 || !is_for_instructors(line, ahead)) {
            return false;
        }
        self.depth += opens;
        let closes = line.matches("</details>").count();
        self.depth = self.depth.saturating_sub(closes);
        true
    }
}

/// Whether the folded part that begins here is a note for instructors.
fn is_for_instructors(line: &str, ahead: &str) -> bool {
    let here = format!("{} {}", line.trim_end(), ahead.trim());
    let Some((_, summary)) = here.split_once("<summary>") else {
        return false;
    };
    let summary = summary.trim_start().to_ascii_lowercase();
    summary.starts_with("instructor")
}
