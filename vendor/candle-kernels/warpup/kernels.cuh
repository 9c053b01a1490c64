// What our kernels share: element types, walks through strided memory, sums over a block.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include <cstdint>

namespace warpup {

// What a kernel computes in: at least float.
template <typename T> struct Wide {
  using type = float;
};
template <> struct Wide<double> {
  using type = double;
};
template <typename T> using wide = typename Wide<T>::type;

template <typename T> __device__ __forceinline__ wide<T> widen(T x) { return wide<T>(x); }
template <typename T> __device__ __forceinline__ T narrow(wide<T> x) { return T(x); }

constexpr unsigned max_rank = 8;

// Where the elements of a tensor lie: from a number in row-major order to a position, in elements.
struct Walk {
  uint32_t rank;
  uint32_t sizes[max_rank];
  int64_t strides[max_rank];

  __device__ __forceinline__ int64_t position(uint64_t element) const {
    int64_t at = 0;
#pragma unroll 1
    for (unsigned dim = rank; dim-- > 0;) {
      // Most tensors have fewer than 2^32 elements, and a division of 32 bits takes a tenth of the time.
      uint64_t rest;
      uint32_t coordinate;
      if (element >> 32) {
        rest = element / sizes[dim];
        coordinate = uint32_t(element - rest * sizes[dim]);
      } else {
        const uint32_t low = uint32_t(element) / sizes[dim];
        coordinate = uint32_t(element) - low * sizes[dim];
        rest = low;
      }
      at += coordinate * strides[dim];
      element = rest;
    }
    return at;
  }
};

__device__ __forceinline__ uint64_t first_element() { return uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ __forceinline__ uint64_t all_threads() { return uint64_t(gridDim.x) * blockDim.x; }

// As many elements as one access to memory takes.
template <typename T> struct alignas(16) Pack {
  static constexpr unsigned size = 16 / sizeof(T);
  T elements[size];
};

template <typename T> __device__ __forceinline__ bool in_packs(const T *at) { return uintptr_t(at) % 16 == 0; }

// Writes f(i, widened elements of each input at i) for the elements from `first` on, in steps of `step`.
template <typename T, typename F, typename... In>
__device__ __forceinline__ void map(uint64_t first, uint64_t step, uint64_t count, T *out, F f, const In *...in) {
  constexpr unsigned size = Pack<T>::size;
  uint64_t done = 0;
  if (in_packs(out) && (true && ... && (in_packs(in) && sizeof(In) == sizeof(T)))) {
    for (uint64_t i = first; i < count / size; i += step) {
      Pack<T> made;
      auto one = [&](const auto &...packs) {
#pragma unroll
        for (unsigned k = 0; k < size; ++k) made.elements[k] = narrow<T>(f(i * size + k, widen(packs.elements[k])...));
      };
      one(reinterpret_cast<const Pack<In> *>(in)[i]...);
      reinterpret_cast<Pack<T> *>(out)[i] = made;
    }
    done = count / size * size;
  }
  for (uint64_t i = done + first; i < count; i += step) out[i] = narrow<T>(f(i, widen(in[i])...));
}

// Copies the elements `from` walks over to where `to` walks, both in row-major order.
template <typename T>
__device__ void copy_strided(uint64_t count, T *to, const Walk &to_walk, const T *from, const Walk &from_walk) {
  for (uint64_t i = first_element(); i < count; i += all_threads())
    to[to_walk.position(i)] = from[from_walk.position(i)];
}

struct Add {
  template <typename T> __device__ __forceinline__ T operator()(T a, T b) const { return a + b; }
};
// NaN wins, as in PyTorch.
struct Larger {
  template <typename T> __device__ __forceinline__ T operator()(T a, T b) const { return a > b || a != a ? a : b; }
};

// The value of the lane of a warp whose number differs in one bit. Kernels that combine structures have one of their own.
template <typename T> __device__ __forceinline__ T of_other_lane(T value, int lanes) {
  return __shfl_xor_sync(0xffffffffu, value, lanes);
}

// Combines a value of each lane of a warp; every lane gets the result.
template <typename T, typename Op> __device__ __forceinline__ T over_warp(T value, Op op) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value = op(value, of_other_lane(value, lanes));
  return value;
}

// Combines a value of each thread of a block; every thread gets the result. The block is a multiple of 32 threads.
template <typename T, typename Op> __device__ T over_block(T value, Op op) {
  __shared__ T of_warps[32];
  value = over_warp(value, op);
  const unsigned warps = blockDim.x / 32;
  if (warps == 1) return value;
  // The result of an earlier call may still be read.
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warps[0];
  for (unsigned i = 1; i < warps; ++i) value = op(value, of_warps[i]);
  return value;
}

// Combines the values of the threads with the same lane in the warps of a block, of which there are 8 at most; the first warp
// gets the result.
template <typename T, typename Op> __device__ T over_lines(T value, Op op) {
  __shared__ T of_threads[8][32];
  const unsigned lane = threadIdx.x % 32, lines = blockDim.x / 32;
  __syncthreads();
  of_threads[threadIdx.x / 32][lane] = value;
  __syncthreads();
  for (unsigned line = 1; threadIdx.x < 32 && line < lines; ++line) value = op(value, of_threads[line][lane]);
  return value;
}

} // namespace warpup

// `KERNELS_FOR_FLOATS(X)` expands X(type, suffix) for each floating point type that a tensor has.
#define KERNELS_FOR_FLOATS(X) X(float, f32) X(double, f64) X(__half, f16) X(__nv_bfloat16, bf16)
