//! A ticket of this process: a file that is locked while the process lives.

use super::folder::Folder;
use std::fs::File;
use std::io::{self, Write};

/// A ticket of this process. Dropping it removes it.
#[derive(Debug)]
pub(super) struct Ticket {
    folder: Folder,
    card: String,
    number: u64,
    name: String,
    /// Locked.
    file: File,
}

impl Ticket {
    /// Draws the next ticket for a card.
    pub(super) fn draw(folder: &Folder, card: &str) -> io::Result<Self> {
        let (number, name, file) = folder.draw(card)?;
        Ok(Self {
            folder: folder.clone(),
            card: card.to_owned(),
            number,
            name,
            file,
        })
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn card(&self) -> &str {
        &self.card
    }

    /// Its turn begins, which others see.
    pub(super) fn begin(&self) {
        // On a full disk, others count from when they have first seen it ahead of all.
        drop((&self.file).write_all(b"turn\n"));
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.folder.remove(&self.name);
    }
}
