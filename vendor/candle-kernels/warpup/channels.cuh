// Rows of channels: where their elements lie, how blocks share them, and what is summed over them.
#pragma once
#include "kernels.cuh"

namespace warpup {

// Number, mean, and sum of squared differences from the mean; of gradients, the sum, and that of each times the difference.
template <typename W> struct Sums {
  W count, mean, squares, grads, along;
};

struct Join {
  template <typename W> __device__ __forceinline__ Sums<W> operator()(const Sums<W> &a, const Sums<W> &b) const {
    if (b.count == 0) return a;
    if (a.count == 0) return b;
    const W count = a.count + b.count, away = b.mean - a.mean, share = b.count / count;
    const W mean = a.mean + away * share;
    return {count, mean, a.squares + b.squares + away * away * a.count * share, a.grads + b.grads,
            a.along + a.grads * (a.mean - mean) + b.along + b.grads * (b.mean - mean)};
  }
};

template <typename W, typename F> __device__ __forceinline__ Sums<W> of_each_part(const Sums<W> &a, F f) {
  return {f(a.count), f(a.mean), f(a.squares), f(a.grads), f(a.along)};
}
template <typename W> __device__ __forceinline__ Sums<W> of_other_lane(const Sums<W> &value, int lanes) {
  return of_each_part(value, [=](W it) { return of_other_lane(it, lanes); });
}

// One number of each channel, in the type of the elements or in the one that kernels compute in.
struct Parameters {
  const void *at;
  uint32_t is_narrow;

  template <typename T> __device__ __forceinline__ wide<T> of(uint32_t i) const {
    return is_narrow ? widen(static_cast<const T *>(at)[i]) : static_cast<const wide<T> *>(at)[i];
  }
};

// A row is `outer` runs of `inner` elements. It has one run if it is a group of channels of a sample, of which a sample has
// `groups`; else it is a channel, `groups` is 0, and the runs of all channels lie behind each other.
struct Rows {
  uint32_t count, outer, inner;
  // Blocks whose sums a row has.
  uint32_t parts;
  // Elements that a thread takes at once.
  uint32_t pack;
  // Whether a block takes 32 rows, one for each lane of a warp, because neighbours in memory are of different rows.
  uint32_t lanes;
  uint32_t groups, spatial;

  __device__ __forceinline__ uint64_t position(uint32_t row, uint32_t element) const {
    if (outer == 1) return uint64_t(row) * inner + element;
    const uint32_t run = element / inner;
    return (uint64_t(run) * count + row) * inner + (element - run * inner);
  }
  __device__ __forceinline__ uint32_t channel(uint32_t row, uint32_t element) const {
    return groups ? row % groups * (inner / spatial) + element / spatial : row;
  }

  // The sums of a row, from those of its parts. All lanes of a warp call it, for the same row unless rows have lanes.
  template <typename W> __device__ __forceinline__ Sums<W> joined(const Sums<W> *sums, uint32_t row) const {
    sums += uint64_t(row) * parts;
    if (parts == 1) return *sums;
    if (lanes) {
      Sums<W> all = sums[0];
      for (uint32_t part = 1; part < parts; ++part) all = Join()(all, sums[part]);
      return all;
    }
    const uint32_t lane = threadIdx.x % 32;
    const Sums<W> all = over_warp(lane < parts ? sums[lane] : Sums<W>{}, Join());
    // Other lanes may have rounded otherwise.
    return of_each_part(all, [](W it) { return __shfl_sync(0xffffffffu, it, 0); });
  }
};

// The elements of a row that a thread takes, in packs: those of one of several shares.
struct Share {
  uint32_t row, share, first, last, step;
  // Whether it writes what its block has of the row.
  bool gives;

  __device__ Share(const Rows &rows, uint32_t shares) {
    const uint32_t lane = threadIdx.x % 32, line = threadIdx.x / 32, all = rows.outer * rows.inner / rows.pack;
    const uint32_t each = (all + shares - 1) / shares;
    share = blockIdx.x % shares;
    row = rows.lanes ? blockIdx.x / shares * 32 + lane : blockIdx.x / shares;
    step = rows.lanes ? blockDim.x / 32 : blockDim.x;
    first = share * each + (rows.lanes ? line : threadIdx.x);
    last = row >= rows.count ? 0 : (share + 1) * each < all ? (share + 1) * each : all;
    gives = (rows.lanes ? line : threadIdx.x) == 0 && row < rows.count;
  }
  __device__ __forceinline__ uint32_t elements(uint32_t pack) const {
    return first < last ? ((last - 1 - first) / step + 1) * pack : 0;
  }

  // Calls f(channel, x, gradient) for each element; a gradient that is not read is 0.
  template <bool with_grad, typename T, typename F>
  __device__ __forceinline__ void each(const Rows &rows, const T *x, const T *grad, F f) const {
    constexpr unsigned size = Pack<T>::size;
    if (rows.pack == size) {
#pragma unroll 2
      for (uint32_t i = first; i < last; i += step) {
        const uint64_t at = rows.position(row, i * size) / size;
        const uint32_t channel = rows.channel(row, i * size);
        const Pack<T> xs = reinterpret_cast<const Pack<T> *>(x)[at];
        Pack<T> grads{};
        if (with_grad) grads = reinterpret_cast<const Pack<T> *>(grad)[at];
#pragma unroll
        for (unsigned k = 0; k < size; ++k)
          f(channel, widen(xs.elements[k]), with_grad ? widen(grads.elements[k]) : wide<T>(0));
      }
      return;
    }
    for (uint32_t i = first; i < last; i += step) {
      const uint64_t at = rows.position(row, i);
      f(rows.channel(row, i), widen(x[at]), with_grad ? widen(grad[at]) : wide<T>(0));
    }
  }

  // Writes f(channel, x, gradient) for each element.
  template <bool with_grad, typename T, typename F>
  __device__ __forceinline__ void map(const Rows &rows, T *out, const T *x, const T *grad, F f) const {
    constexpr unsigned size = Pack<T>::size;
    if (rows.pack == size) {
      for (uint32_t i = first; i < last; i += step) {
        const uint64_t at = rows.position(row, i * size) / size;
        const uint32_t channel = rows.channel(row, i * size);
        const Pack<T> xs = reinterpret_cast<const Pack<T> *>(x)[at];
        Pack<T> grads{}, made;
        if (with_grad) grads = reinterpret_cast<const Pack<T> *>(grad)[at];
#pragma unroll
        for (unsigned k = 0; k < size; ++k)
          made.elements[k] =
              narrow<T>(f(channel, widen(xs.elements[k]), with_grad ? widen(grads.elements[k]) : wide<T>(0)));
        reinterpret_cast<Pack<T> *>(out)[at] = made;
      }
      return;
    }
    for (uint32_t i = first; i < last; i += step) {
      const uint64_t at = rows.position(row, i);
      out[at] = narrow<T>(f(rows.channel(row, i), widen(x[at]), with_grad ? widen(grad[at]) : wide<T>(0)));
    }
  }
};

} // namespace warpup
