// Random numbers of a card: Philox4x32-10, counted as cuRAND and PyTorch do. `kernels/philox` in the worker has the same for
// the host, and says who gets which number.
#pragma once
#include "kernels.cuh"

namespace warpup {

// The numbers that Philox makes at a time.
struct Group {
  uint32_t of[4];
};

// A generator: a key, and how many numbers of each thread are used, in whole groups.
struct Philox {
  uint64_t seed, offset;

  // A group of numbers of a thread, counted from the offset.
  __device__ __forceinline__ Group group(uint64_t thread, uint64_t at) const {
    at += offset / 4;
    uint32_t a = uint32_t(at), b = uint32_t(at >> 32), c = uint32_t(thread), d = uint32_t(thread >> 32);
    uint32_t first = uint32_t(seed), second = uint32_t(seed >> 32);
#pragma unroll
    for (int round = 0; round < 10; ++round) {
      const uint64_t x = uint64_t(a) * 0xd2511f53u, y = uint64_t(c) * 0xcd9e8d57u;
      a = uint32_t(y >> 32) ^ b ^ first;
      b = uint32_t(y);
      c = uint32_t(x >> 32) ^ d ^ second;
      d = uint32_t(x);
      first += 0x9e3779b9u;
      second += 0xbb67ae85u;
    }
    return {{a, b, c, d}};
  }
};

// From 0, not included, to 1. The step is a power of 2, so only the sum is rounded.
__device__ __forceinline__ float uniform(uint32_t word) { return word * 0x1p-32f + 0x1p-33f; }

// Writes the elements that each group of a thread makes, which lie as far apart as there are threads.
template <unsigned n, typename T, typename F>
__device__ __forceinline__ void fill(uint64_t count, T *out, const Philox &from, F make) {
  const uint64_t thread = first_element(), threads = all_threads();
  uint64_t pass = 0;
  for (uint64_t start = thread; start < count; start += n * threads) {
    const Group words = from.group(thread, pass++);
    T made[n];
    make(words, made);
#pragma unroll
    for (unsigned i = 0; i < n; ++i)
      if (start + i * threads < count) out[start + i * threads] = made[i];
  }
}

} // namespace warpup
