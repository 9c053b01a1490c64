//! The CUDA kernels of candle, and those of warpup, as fat binaries, from which the driver takes what fits the card.

use cudarc::nvrtc::Ptx;

#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Id {
    Affine,
    Binary,
    Cast,
    Conv,
    Fill,
    Indexing,
    Quantized,
    Reduce,
    Sort,
    Ternary,
    Unary,
    AtIndex,
    Attention,
    AttentionBackward,
    Channels,
    Choices,
    Creation,
    Elementwise,
    ManyTensors,
    Optimizers,
    Permutation,
    Pool,
    Positions,
    Random,
    Ranking,
    Reduction,
    Resample,
    Rows,
    Scan,
    StridedCopy,
}

pub const ALL_IDS: [Id; 30] = [
    Id::Affine,
    Id::Binary,
    Id::Cast,
    Id::Conv,
    Id::Fill,
    Id::Indexing,
    Id::Quantized,
    Id::Reduce,
    Id::Sort,
    Id::Ternary,
    Id::Unary,
    Id::AtIndex,
    Id::Attention,
    Id::AttentionBackward,
    Id::Channels,
    Id::Choices,
    Id::Creation,
    Id::Elementwise,
    Id::ManyTensors,
    Id::Optimizers,
    Id::Permutation,
    Id::Pool,
    Id::Positions,
    Id::Random,
    Id::Ranking,
    Id::Reduction,
    Id::Resample,
    Id::Rows,
    Id::Scan,
    Id::StridedCopy,
];

/// The kernels of one source.
pub struct Module {
    id: Id,
    image: Image,
}

impl Module {
    /// Its position in [`ALL_IDS`], which are in the order of their numbers.
    pub fn index(&self) -> usize {
        self.id as usize
    }

    /// What the driver loads. Upstream has text of PTX here, from which the name comes.
    pub fn ptx(&self) -> Image {
        self.image
    }
}

/// A fat binary: machine code for some capabilities, and PTX.
#[derive(Clone, Copy)]
pub struct Image(&'static [u8]);

impl From<Image> for Ptx {
    fn from(image: Image) -> Self {
        match image.0 {
            // The driver refuses this text; nothing is read beyond its end, as it would be of an empty slice.
            [] => Self::from_src("// these kernels are not in this build"),
            bytes => Self::from_binary(bytes.to_vec()),
        }
    }
}

macro_rules! module {
    ($name:ident, $id:ident, $file:literal) => {
        pub const $name: Module = Module {
            id: Id::$id,
            image: Image(include_bytes!(concat!(
                env!("OUT_DIR"),
                "/",
                $file,
                ".fatbin"
            ))),
        };
    };
}

module!(AFFINE, Affine, "affine");
module!(BINARY, Binary, "binary");
module!(CAST, Cast, "cast");
module!(CONV, Conv, "conv");
module!(FILL, Fill, "fill");
module!(INDEXING, Indexing, "indexing");
module!(REDUCE, Reduce, "reduce");
module!(SORT, Sort, "sort");
module!(TERNARY, Ternary, "ternary");
module!(UNARY, Unary, "unary");
module!(AT_INDEX, AtIndex, "at_index");
module!(ATTENTION, Attention, "attention");
module!(ATTENTION_BACKWARD, AttentionBackward, "attention_backward");
module!(CHANNELS, Channels, "channels");
module!(CHOICES, Choices, "choices");
module!(CREATION, Creation, "creation");
module!(ELEMENTWISE, Elementwise, "elementwise");
module!(MANY_TENSORS, ManyTensors, "many_tensors");
module!(OPTIMIZERS, Optimizers, "optimizers");
module!(PERMUTATION, Permutation, "permutation");
module!(POOL, Pool, "pool");
module!(POSITIONS, Positions, "positions");
module!(RANDOM, Random, "random");
module!(RANKING, Ranking, "ranking");
module!(REDUCTION, Reduction, "reduction");
module!(RESAMPLE, Resample, "resample");
module!(ROWS, Rows, "rows");
module!(SCAN, Scan, "scan");
module!(STRIDED_COPY, StridedCopy, "strided_copy");

pub const QUANTIZED: Module = Module {
    id: Id::Quantized,
    image: Image(&[]),
};

pub mod ffi;

/// The functions that [`ffi`] declares. Only quantized and expert models call them.
mod functions {
    include!(concat!(env!("OUT_DIR"), "/absent.rs"));
}

fn absent(name: &str) -> ! {
    panic!("{name} is not in this build: it has no kernels for quantized and expert models")
}
