//! What cards can do at most, by the names that traces give them: figures of data sheets, to which figures of a trace are compared.
//!
//! A card that is not here has no bound.

/// The peaks of a card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CardPeaks {
    /// Bytes a second between its memory and its cores.
    pub(super) memory: f64,
    /// Bytes a second that it sends to others in the same machine, over all its links; none where a card of this name may have none.
    pub(super) link: Option<f64>,
}

const GB: f64 = 1e9;

/// Parts of names, the longer ones of a family first, with both rates in GB/s; 0 for a link that it may not have.
const CARDS: [(&str, f64, f64); 24] = [
    ("B300", 8000.0, 900.0),
    ("B200", 8000.0, 900.0),
    ("H200 NVL", 4800.0, 0.0),
    ("H200", 4800.0, 450.0),
    ("H100 NVL", 3900.0, 0.0),
    ("H100 PCIe", 2000.0, 0.0),
    ("H100", 3350.0, 450.0),
    ("A100-PCIE-40GB", 1555.0, 0.0),
    ("A100 80GB PCIe", 1935.0, 0.0),
    ("A100-SXM4-80GB", 2039.0, 300.0),
    ("A100", 2039.0, 300.0),
    ("V100-PCIE", 900.0, 0.0),
    ("V100", 900.0, 150.0),
    ("L40", 864.0, 0.0),
    ("L4", 300.0, 0.0),
    ("A10G", 600.0, 0.0),
    ("Tesla T4", 320.0, 0.0),
    ("RTX 4090", 1008.0, 0.0),
    ("RTX 3090", 936.0, 0.0),
    ("MI355", 8000.0, 537.6),
    ("MI325", 6000.0, 448.0),
    ("MI300X", 5300.0, 448.0),
    ("MI250", 1638.0, 0.0),
    ("MI210", 1638.0, 0.0),
];

/// The peaks of a card; none for one that is not known.
pub(super) fn of(name: &str) -> Option<CardPeaks> {
    let found = CARDS.iter().find(|(part, ..)| name.contains(part));
    found.map(|&(_, memory, link)| CardPeaks {
        memory: memory * GB,
        link: (link > 0.0).then_some(link * GB),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_of_one_family_are_told_apart() {
        let memory = |name| of(name).map(|it| it.memory / GB);
        assert_eq!(memory("NVIDIA H100 80GB HBM3"), Some(3350.0));
        assert_eq!(memory("NVIDIA H100 PCIe"), Some(2000.0));
        assert_eq!(memory("NVIDIA L40S"), Some(864.0));
        assert_eq!(memory("synthetic card"), None);
        assert_eq!(of("Tesla V100-PCIE-32GB").unwrap().link, None);
    }
}
