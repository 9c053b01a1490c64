//! A trace that was read.

use crate::kineto::analysis::Analysis;
use crate::kineto::findings::Report;

/// A trace's figures, and what was found.
pub(in crate::commands) type Analysed = (Analysis, Report);
