//! A lesson as a Jupyter notebook, whose labs run under PyTorch.
//!
//! The first cell says what it is, and the second defines `lab`. A lab is a cell with its program as the lesson has it, and one
//! with its check below.

use super::github::{Writer, head, page_title};
use super::options::{Keys, Outputs};
use super::remark::Remarks;
use serde::Serialize;
use std::collections::BTreeSet;
use warpup_course::{Block, BlockKind, DeviceWish, Lab, Lesson};

/// The program of the second cell.
const LAB: &str = include_str!("lab.py");
/// How the cell with a check begins; `lab.py` knows it.
const CHECK: &str = "# Check";
/// Ids of cells may have this many characters.
const MAX_ID: usize = 64;

/// The notebook of a lesson, as JSON.
pub fn write(lesson: &Lesson, keys: Keys, remarks: &mut Remarks) -> serde_json::Result<String> {
    let outputs = Outputs::new();
    let lessons = [lesson];
    let mut notebook = Notebook {
        writer: Writer {
            lessons: &lessons,
            keys,
            outputs: &outputs,
        },
        cells: Vec::new(),
        ids: BTreeSet::new(),
        remarks,
    };
    notebook.begin(lesson);
    for page in &lesson.pages {
        let mut text = page_title(lesson, page, 2);
        let mut blocks: Vec<Block> = Vec::new();
        for block in &page.blocks {
            let BlockKind::Lab(id) = &block.kind else {
                blocks.push(block.clone());
                continue;
            };
            text.push_str(&notebook.writer.blocks(lesson, &blocks));
            blocks.clear();
            text.push_str("\n\n");
            text.push_str(&notebook.writer.before_lab(lesson, id));
            notebook.markdown(page.id.as_str(), &std::mem::take(&mut text));
            if let Some(lab) = lesson.labs.iter().find(|it| it.id == *id) {
                notebook.lab(lesson, lab);
            }
        }
        text.push_str(&notebook.writer.blocks(lesson, &blocks));
        notebook.markdown(page.id.as_str(), &text);
    }
    if let Some(quiz) = &lesson.quiz {
        let text = notebook.writer.quiz(lesson, quiz, 2);
        notebook.markdown("quiz", &text);
    }
    let file = File {
        cells: notebook.cells,
        metadata: FileMetadata {
            kernelspec: Kernel {
                display_name: "Python 3",
                language: "python",
                name: "python3",
            },
            language_info: Language { name: "python" },
        },
        nbformat: 4,
        nbformat_minor: 5,
    };
    serde_json::to_string_pretty(&file).map(|it| it + "\n")
}

struct Notebook<'a> {
    writer: Writer<'a>,
    cells: Vec<NotebookCell>,
    ids: BTreeSet<String>,
    remarks: &'a mut Remarks,
}

impl Notebook<'_> {
    fn begin(&mut self, lesson: &Lesson) {
        let head = head(lesson, 1);
        let about = format!(
            "{head}\nThis notebook is the lesson `{}` of a warpup course. Its programs run under PyTorch, on your device: run the \
next cell first, then each program and the check below it. In warpup, the same programs also run without PyTorch and without a \
card, with the time of each line.",
            lesson.id
        );
        self.markdown("about", &about);
        self.code("setup", LAB, false);
    }

    fn lab(&mut self, lesson: &Lesson, lab: &Lab) {
        let wants_card = matches!(lab.device, DeviceWish::Cuda | DeviceWish::Model(_));
        if wants_card {
            let place = format!("{}/{}", lesson.id, lab.id);
            let what =
                "its program asks for a card: on a machine without one, it may end with an error";
            self.remarks.say(place, what);
        }
        // A repair fails as it begins, and its check then finds names missing.
        let is_repair = lab.solution.is_some();
        self.code(&format!("lab-{}", lab.id), &lab.starter, is_repair);
        if let Some(check) = &lab.check {
            let check = format!("{CHECK} of the program above\n{check}");
            self.code(
                &format!("check-{}", lab.id),
                &check,
                is_repair || wants_card,
            );
        }
        let after = self.writer.after_lab(lesson, &lab.id);
        self.markdown(&format!("after-{}", lab.id), &after);
    }

    fn markdown(&mut self, name: &str, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let id = self.id(name);
        self.cells.push(NotebookCell::Markdown {
            id,
            metadata: CellMetadata::default(),
            source: lines(text.trim()),
        });
    }

    fn code(&mut self, name: &str, program: &str, may_raise: bool) {
        let id = self.id(name);
        let tags = if may_raise {
            vec!["raises-exception"]
        } else {
            Vec::new()
        };
        self.cells.push(NotebookCell::Code {
            id,
            metadata: CellMetadata { tags },
            source: lines(program.trim_end()),
            execution_count: (),
            outputs: [],
        });
    }

    /// An id of its own for each cell, which is the same in the next export.
    fn id(&mut self, name: &str) -> String {
        let short: String = name.chars().take(MAX_ID - 4).collect();
        let numbered = (2..).map(|it| format!("{short}-{it}"));
        let mut free = [short.clone()].into_iter().chain(numbered);
        let id = free.find(|it| !self.ids.contains(it)).unwrap_or_default();
        self.ids.insert(id.clone());
        id
    }
}

/// The lines of a text, each with its end, as notebooks have them.
fn lines(text: &str) -> Vec<String> {
    text.split_inclusive('\n').map(str::to_owned).collect()
}

#[derive(Serialize)]
struct File {
    cells: Vec<NotebookCell>,
    metadata: FileMetadata,
    nbformat: u32,
    nbformat_minor: u32,
}

#[derive(Serialize)]
struct FileMetadata {
    kernelspec: Kernel,
    language_info: Language,
}

#[derive(Serialize)]
struct Kernel {
    display_name: &'static str,
    language: &'static str,
    name: &'static str,
}

#[derive(Serialize)]
struct Language {
    name: &'static str,
}

#[derive(Serialize)]
#[serde(tag = "cell_type", rename_all = "lowercase")]
enum NotebookCell {
    Markdown {
        id: String,
        metadata: CellMetadata,
        source: Vec<String>,
    },
    Code {
        id: String,
        metadata: CellMetadata,
        source: Vec<String>,
        /// `null`: it was not run.
        execution_count: (),
        outputs: [u32; 0],
    },
}

#[derive(Default, Serialize)]
struct CellMetadata {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<&'static str>,
}

#[cfg(test)]
mod tests;
