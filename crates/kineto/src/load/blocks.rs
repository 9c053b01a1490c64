//! The bytes of a file, decompressed where it is compressed.

use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many bytes are read at once.
const BLOCK_BYTES: usize = 1 << 20;

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A source of blocks.
pub(super) struct BlockReader {
    source: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// What ended the last block; the next one is this error.
    failed: Option<io::Error>,
    /// Whether positions are in the decompressed text.
    pub(super) is_compressed: bool,
}

/// How much of a file was read, known to two threads.
#[derive(Clone, Debug, Default)]
pub(super) struct BytesRead(Arc<AtomicU64>);

impl BytesRead {
    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counts what is read through it.
struct CountingReader<R> {
    inner: R,
    count: BytesRead,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.count.0.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl BlockReader {
    /// Opens a file. The count says how many of its bytes were read, compressed ones where it is compressed.
    pub(super) fn open(path: &Path, count: BytesRead) -> io::Result<Self> {
        Self::of(File::open(path)?, count)
    }

    /// Blocks of anything that can be read.
    pub(super) fn of(mut source: impl Read + Send + 'static, count: BytesRead) -> io::Result<Self> {
        let mut first = Vec::new();
        source
            .by_ref()
            .take(GZIP.len() as u64)
            .read_to_end(&mut first)?;
        let is_compressed = first == GZIP;
        let whole = io::Cursor::new(first).chain(source);
        let counted = CountingReader {
            inner: whole,
            count,
        };
        let source: Box<dyn Read + Send> = if is_compressed {
            Box::new(MultiGzDecoder::new(BufReader::with_capacity(
                1 << 16,
                counted,
            )))
        } else {
            Box::new(counted)
        };
        Ok(Self {
            source,
            buffer: vec![0; BLOCK_BYTES],
            failed: None,
            is_compressed,
        })
    }

    /// The next bytes; none at the end.
    pub(super) fn next(&mut self) -> io::Result<&[u8]> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut filled = 0;
        while let Some(free) = self.buffer.get_mut(filled..)
            && !free.is_empty()
        {
            match self.source.read(free) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // What came before is looked at first: it may be wrong earlier than this.
                // It is kept, since a decoder that has failed once may say afterwards that this is the end.
                Err(error) if filled > 0 => {
                    self.failed = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(self.buffer.get(..filled).unwrap_or_default())
    }
}
