//! Several files as one ZIP file, whose bytes depend on nothing else.

use std::io::{self, Cursor, Write};
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime, ZipArchive};

/// What is before a file, before its name in the directory, and at the end of a ZIP file: so many bytes.
const HEAD: usize = 30;
const ENTRY: usize = 46;
const END: usize = 22;

/// A ZIP file with these files, in this order, without compression and without times.
pub(super) fn of(files: &[(String, String)]) -> io::Result<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    for (name, text) in files {
        writer.start_file(name.as_str(), options)?;
        writer.write_all(text.as_bytes())?;
    }
    Ok(writer.finish()?.into_inner())
}

/// A ZIP file that is laid out as [`of`] does it: other programs would find something else in another one.
pub(super) fn open(bytes: &[u8]) -> Option<ZipArchive<Cursor<&[u8]>>> {
    let directory = directory(bytes)?;
    let archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    (archive.central_directory_start() == directory && archive.offset() == 0).then_some(archive)
}

/// Where the directory of a ZIP file begins: behind its files, which begin at the first byte, and right before its end. Nothing is
/// between them, and each head says the same as the directory.
fn directory(bytes: &[u8]) -> Option<u64> {
    let number = |at: usize, length: usize| {
        let bytes = bytes.get(at..at + length)?.iter().rev();
        Some(bytes.fold(0, |sum, it| (sum << 8) | usize::from(*it)))
    };
    let end = bytes.len().checked_sub(END)?;
    let (count, size, directory) = (
        number(end + 8, 2)?,
        number(end + 12, 4)?,
        number(end + 16, 4)?,
    );
    let is_end = bytes.get(end..end + 8)? == b"PK\x05\x06\0\0\0\0"
        && number(end + 10, 2)? == count
        && directory + size == end
        && number(end + 20, 2)? == 0;
    let (mut file, mut entry) = (0, directory);
    for _ in 0..count {
        let name = number(entry + 28, 2)?;
        let head = bytes.get(file..file + HEAD + name)?;
        let listed = bytes.get(entry..entry + ENTRY + name)?;
        // Version, flags, compression, time, CRC, sizes and lengths; then no extras, no comment, one disk, and the name.
        let is_same = head.starts_with(b"PK\x03\x04")
            && listed.starts_with(b"PK\x01\x02")
            && listed.get(6..32) == head.get(4..HEAD)
            && listed.get(30..38)? == [0; 8]
            && number(entry + 42, 4)? == file
            && listed.get(ENTRY..) == head.get(HEAD..);
        if !is_same {
            return None;
        }
        entry += ENTRY + name;
        file += HEAD + name + number(file + 18, 4)?;
    }
    (is_end && file == directory && entry == end).then_some(directory as u64)
}
