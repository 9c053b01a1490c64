// Random permutations: the numbers from 0 on, sorted by random keys in a bitonic network. Equal keys are as rare as PyTorch has
// them, and their numbers change places in the same way.
#include "philox.cuh"

using namespace warpup;

namespace {

// Elements that a block sorts in its shared memory, two for each of its threads.
constexpr unsigned tile = 1024;

// Whether the first of two elements belongs behind the second: by key, then by number, so that the order is a stable one.
__device__ __forceinline__ bool is_behind(uint64_t key, int64_t number, uint64_t other_key, int64_t other_number) {
  return key > other_key || (key == other_key && number > other_number);
}

// Puts two elements in order, upwards or downwards.
__device__ __forceinline__ void order(uint64_t *keys, int64_t *numbers, uint64_t i, uint64_t j, bool upwards) {
  if (is_behind(keys[i], numbers[i], keys[j], numbers[j]) != upwards) return;
  const uint64_t key = keys[i];
  const int64_t number = numbers[i];
  keys[i] = keys[j];
  numbers[i] = numbers[j];
  keys[j] = key;
  numbers[j] = number;
}

// The first of the two elements that a thread compares.
__device__ __forceinline__ uint64_t first_of(uint64_t thread, uint64_t apart) { return 2 * thread - (thread & (apart - 1)); }

} // namespace

// Keys for the numbers from `begin` on; only the bits of `seen` count, and a set sign comes first.
extern "C" __global__ void permutation_keys(uint64_t count, uint64_t *keys, uint64_t seed, uint64_t offset, uint64_t range,
                                            int64_t low, uint64_t sign, uint64_t seen) {
  fill<2>(count, keys, {seed, offset}, [=](const Group &words, uint64_t *made) {
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) {
      const uint64_t word = uint64_t(words.of[2 * i]) << 32 | words.of[2 * i + 1];
      made[i] = ((uint64_t(low) + word % range) ^ sign) & seen;
    }
  });
}

// The numbers beside the keys; those behind the last key get one that comes last.
extern "C" __global__ void permutation_numbers(uint64_t padded, uint64_t count, uint64_t *keys, int64_t *numbers) {
  for (uint64_t i = first_element(); i < padded; i += all_threads()) {
    numbers[i] = int64_t(i);
    if (i >= count) keys[i] = UINT64_MAX;
  }
}

// Sorts each tile, or with `run`, does the steps of that run length that stay within a tile.
extern "C" __global__ void permutation_tiles(uint64_t *keys, int64_t *numbers, uint64_t run) {
  __shared__ uint64_t own_keys[tile];
  __shared__ int64_t own_numbers[tile];
  const uint64_t base = uint64_t(blockIdx.x) * tile;
  for (unsigned i = threadIdx.x; i < tile; i += blockDim.x) {
    own_keys[i] = keys[base + i];
    own_numbers[i] = numbers[base + i];
  }
  __syncthreads();
  for (uint64_t length = run ? run : 2; length <= (run ? run : tile); length *= 2) {
    for (unsigned apart = length > tile ? tile / 2 : length / 2; apart > 0; apart /= 2) {
      const unsigned i = first_of(threadIdx.x, apart);
      order(own_keys, own_numbers, i, i + apart, ((base + i) & length) == 0);
      __syncthreads();
    }
  }
  for (unsigned i = threadIdx.x; i < tile; i += blockDim.x) {
    keys[base + i] = own_keys[i];
    numbers[base + i] = own_numbers[i];
  }
}

// One step over all elements, between those that lie `apart`.
extern "C" __global__ void permutation_step(uint64_t padded, uint64_t *keys, int64_t *numbers, uint64_t run, uint64_t apart) {
  for (uint64_t thread = first_element(); thread < padded / 2; thread += all_threads()) {
    const uint64_t i = first_of(thread, apart);
    order(keys, numbers, i, i + apart, (i & run) == 0);
  }
}

// The result. The first of neighbours with one key puts these in a random order.
extern "C" __global__ void permutation_ties(uint64_t count, int64_t *out, const uint64_t *keys, const int64_t *numbers,
                                            uint64_t seed, uint64_t offset) {
  const Philox from = {seed, offset};
  for (uint64_t first = first_element(); first < count; first += all_threads()) {
    if (first > 0 && keys[first] == keys[first - 1]) continue;
    uint64_t end = first;
    for (; end < count && keys[end] == keys[first]; ++end) out[end] = numbers[end];
    Group words = {};
    unsigned used = 0;
    for (uint64_t left = end - first; left > 1; --left) {
      if (used % 4 == 0) words = from.group(first, used / 4);
      const uint64_t other = first + words.of[used % 4] % uint32_t(left), last = first + left - 1;
      const int64_t number = out[last];
      out[last] = out[other];
      out[other] = number;
      ++used;
    }
  }
}
