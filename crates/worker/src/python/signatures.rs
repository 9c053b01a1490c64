//! The arguments of functions and methods, as PyTorch names them: the table `signatures.txt`, read on demand.
//!
//! `scripts/pytorch-signatures` writes the table and compares it with PyTorch. What a call gives is matched with it in
//! `bind`.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{LazyLock, OnceLock};

/// Whether a name is called as `torch.NAME(…)` or as a method of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Receiver {
    Function,
    Method,
}

/// The overloads of one name.
#[derive(Debug)]
pub(super) struct Signatures {
    /// In the order in which PyTorch tries them.
    pub(super) overloads: Vec<Signature>,
    /// How many positional arguments suffice without keywords.
    suffice: RangeInclusive<usize>,
}

/// One overload.
#[derive(Debug)]
pub(super) struct Signature {
    pub(super) parameters: Vec<Parameter>,
    /// How many of them can be given by position.
    pub(super) positional: usize,
}

/// One argument as it is declared.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) kind: Kind,
    /// Whether None is a value of it.
    pub(super) takes_none: bool,
    pub(super) name: &'static str,
    /// A Python literal; `None` if the argument is required.
    pub(super) default: Option<&'static str>,
    /// Whether warpup takes no other value than the default.
    pub(super) is_refused: bool,
}

/// The type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Tensor,
    TensorOrNumber,
    Tensors,
    Number,
    Int,
    /// `tuple of ints`; one `int` will do, too.
    IntOrInts,
    Ints,
    Float,
    Bool,
    Dtype,
    Device,
    Layout,
    MemoryFormat,
    Generator,
    Text,
    Any,
}

static TABLE: LazyLock<HashMap<&'static str, Block>> = LazyLock::new(|| {
    let mut table = HashMap::new();
    let text = include_str!("signatures.txt");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split('(').next().unwrap_or(line);
        let block: &mut Block = table.entry(name).or_default();
        block.lines.push(line);
    }
    table
});

/// The lines of one name, and what they say once somebody has asked.
#[derive(Default)]
struct Block {
    lines: Vec<&'static str>,
    read: OnceLock<Signatures>,
}

/// The overloads of this name; `None` if the table has none.
pub(super) fn of(place: Receiver, name: &str) -> Option<&'static Signatures> {
    let place = match place {
        Receiver::Function => "torch.",
        Receiver::Method => "Tensor.",
    };
    let block = TABLE.get(format!("{place}{name}").as_str())?;
    Some(block.read.get_or_init(|| Signatures::read(&block.lines)))
}

/// The names of the functions in the table.
pub(super) fn functions() -> impl Iterator<Item = &'static str> {
    TABLE.keys().filter_map(|it| it.strip_prefix("torch."))
}

impl Signatures {
    fn read(lines: &[&'static str]) -> Self {
        let overloads: Vec<Signature> = lines.iter().map(|it| Signature::read(it)).collect();
        let counts = overloads.iter().filter_map(Signature::counts);
        let least = counts.clone().map(|it| it.0).min();
        let most = counts.map(|it| it.1).max();
        Self {
            overloads,
            suffice: least.unwrap_or(1)..=most.unwrap_or(0),
        }
    }

    /// Whether this many positional arguments, and nothing else, are a call.
    pub(super) fn takes(&self, positional: usize) -> bool {
        self.suffice.contains(&positional)
    }
}

impl Signature {
    fn read(line: &'static str) -> Self {
        let (declared, refused) = line.split_once(" | ").unwrap_or((line, ""));
        let inside = declared.split_once('(').map_or("", |it| it.1);
        let inside = inside.strip_suffix(')').unwrap_or(inside);
        let mut parameters = Vec::new();
        let mut positional = None;
        for part in inside.split(", ").filter(|it| !it.is_empty()) {
            if part == "*" {
                positional = Some(parameters.len());
            } else {
                parameters.push(Parameter::read(part, refused));
            }
        }
        Self {
            positional: positional.unwrap_or(parameters.len()),
            parameters,
        }
    }

    /// The fewest and the most positional arguments; `None` if a keyword is needed.
    fn counts(&self) -> Option<(usize, usize)> {
        let named = self.parameters.iter().skip(self.positional);
        if named.into_iter().any(|it| it.default.is_none()) {
            return None;
        }
        let most = if self.is_variadic() {
            usize::MAX
        } else {
            self.positional
        };
        Some((self.required(), most))
    }

    /// How many positional arguments have no default.
    pub(super) fn required(&self) -> usize {
        let positional = self.parameters.iter().take(self.positional);
        positional.filter(|it| it.default.is_none()).count()
    }

    /// Whether `f(2, 3)` is `f((2, 3))`: with ints as the only positional argument.
    pub(super) fn is_variadic(&self) -> bool {
        let first = self.parameters.first();
        self.positional == 1
            && first.is_some_and(|it| matches!(it.kind, Kind::Ints | Kind::IntOrInts))
    }
}

impl Parameter {
    /// Reads `int[1]? dim=None`.
    fn read(part: &'static str, refused: &str) -> Self {
        let (declared, default) = match part.split_once('=') {
            Some((declared, default)) => (declared, Some(default)),
            None => (part, None),
        };
        let (kind, name) = declared.split_once(' ').unwrap_or(("Any", declared));
        let plain = kind.strip_suffix('?');
        let kind = Kind::read(plain.unwrap_or(kind));
        Self {
            kind,
            takes_none: plain.is_some() || default == Some("None") || kind == Kind::Any,
            name,
            default,
            is_refused: matches!(kind, Kind::Layout | Kind::MemoryFormat)
                || refused.split(' ').any(|it| it == name),
        }
    }
}

impl Kind {
    fn read(text: &str) -> Self {
        match text {
            "Tensor" => Self::Tensor,
            "Tensor|Scalar" => Self::TensorOrNumber,
            "Tensor[]" => Self::Tensors,
            "Scalar" => Self::Number,
            "int" => Self::Int,
            "int[1]" => Self::IntOrInts,
            "int[]" => Self::Ints,
            "float" => Self::Float,
            "bool" => Self::Bool,
            "ScalarType" => Self::Dtype,
            "Device" => Self::Device,
            "Layout" => Self::Layout,
            "MemoryFormat" => Self::MemoryFormat,
            "Generator" => Self::Generator,
            "str" => Self::Text,
            _ => Self::Any,
        }
    }

    /// Whether it is a list of something.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Self::Tensors | Self::Ints | Self::IntOrInts)
    }

    /// The type in the messages of PyTorch.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Tensor | Self::TensorOrNumber => "Tensor",
            Self::Tensors => "tuple of Tensors",
            Self::Number => "Number",
            Self::Int => "int",
            Self::IntOrInts | Self::Ints => "tuple of ints",
            Self::Float => "float",
            Self::Bool => "bool",
            Self::Dtype => "torch.dtype",
            Self::Device => "torch.device",
            Self::Layout => "torch.layout",
            Self::MemoryFormat => "torch.memory_format",
            Self::Generator => "torch.Generator",
            Self::Text => "str",
            Self::Any => "object",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_of_the_table_is_known() {
        for (name, block) in TABLE.iter() {
            for signature in &Signatures::read(&block.lines).overloads {
                let unknown = signature.parameters.iter().find(|it| {
                    let meant = ["data", "dtype", "callable", "ndarray"];
                    it.kind == Kind::Any && !meant.contains(&it.name)
                });
                assert!(unknown.is_none(), "{name}: {unknown:?}");
            }
        }
    }

    #[test]
    fn what_is_refused_is_an_argument_of_its_line() {
        for line in include_str!("signatures.txt").lines() {
            let Some((declared, refused)) = line.split_once(" | ") else {
                continue;
            };
            for name in refused.split(' ') {
                assert!(declared.contains(&format!(" {name}")), "{line}");
            }
        }
    }

    #[test]
    fn counts_are_those_of_all_overloads() {
        let takes = |place, name, count| of(place, name).unwrap().takes(count);
        assert!(takes(Receiver::Method, "transpose", 2));
        assert!(!takes(Receiver::Method, "transpose", 1));
        assert!(takes(Receiver::Function, "sum", 3));
        assert!(!takes(Receiver::Function, "sum", 0));
        assert!(takes(Receiver::Method, "view", 9));
        assert!(!takes(Receiver::Method, "view", 0));
    }
}
