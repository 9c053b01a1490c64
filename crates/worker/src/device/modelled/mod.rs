//! A modelled card: nothing is timed, and the same program gives the same nanoseconds on every machine.

mod card;
mod convolution;
mod device;
mod gemm;
mod graphs;
mod host_blocks;
mod host_lanes;
mod kernel_time;
mod libraries;
mod rate;
mod streams;
mod two_hosts;
mod two_hosts_graphs;
mod two_hosts_lanes;

pub(super) use device::info;
pub(super) use two_hosts::TwoHosts;
