// Places of the elements of rows in order: the first ones of a few, or all of short rows. NaN is the largest, and equal elements
// stay in order. A block takes a row.
#include "reduction.cuh"

using namespace warpup;

namespace {

// Rows that are sorted whole have this many elements at most; `ranking.rs` has the same number.
constexpr uint32_t most = 2048;

template <typename V> __device__ __forceinline__ bool is_larger(V a, V b) { return a > b || (a != a && b == b); }

// Whether an element is before another one. A place behind all others is that of no element.
template <typename V> __device__ __forceinline__ bool precedes(const Placed<V> &a, const Placed<V> &b, bool descending) {
  if (a.place == UINT32_MAX || b.place == UINT32_MAX) return a.place != UINT32_MAX && b.place == UINT32_MAX;
  if (is_larger(a.value, b.value)) return descending;
  if (is_larger(b.value, a.value)) return !descending;
  return a.place < b.place;
}

template <typename V> struct Earlier {
  bool descending;
  __device__ __forceinline__ Placed<V> operator()(const Placed<V> &a, const Placed<V> &b) const {
    return precedes(b, a, descending) ? b : a;
  }
};

// The first `count` places, one after the other: each time the first element behind the one before.
template <typename T>
__device__ void first_places(uint32_t rows, uint32_t size, uint32_t count, bool descending, int64_t *out, const T *a) {
  using V = kept<T>;
  for (uint32_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const T *in = a + uint64_t(row) * size;
    Placed<V> last{0, UINT32_MAX};
    for (uint32_t found = 0; found < count; ++found) {
      Placed<V> best{0, UINT32_MAX};
      for (uint32_t i = threadIdx.x; i < size; i += blockDim.x) {
        const Placed<V> own{V(in[i]), i};
        if (found == 0 || precedes(last, own, descending)) best = Earlier<V>{descending}(best, own);
      }
      last = over_block(best, Earlier<V>{descending});
      if (threadIdx.x == 0) out[uint64_t(row) * count + found] = last.place;
    }
  }
}

// The places from rank `from` on. With `nan_instead`, the first NaN's in place of them, if there is one.
template <typename T>
__device__ void sorted_places(uint32_t rows, uint32_t size, uint32_t from, uint32_t count, bool descending,
                              bool nan_instead, int64_t *out, const T *a) {
  using V = kept<T>;
  __shared__ Placed<V> all[most];
  uint32_t room = 1;
  while (room < size) room *= 2;
  for (uint32_t row = blockIdx.x; row < rows; row += gridDim.x) {
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < room; i += blockDim.x)
      all[i] = i < size ? Placed<V>{V(a[uint64_t(row) * size + i]), i} : Placed<V>{0, UINT32_MAX};
    // A bitonic sort: runs in turns up and down, each merged from two.
    for (uint32_t run = 2; run <= room; run *= 2)
      for (uint32_t apart = run / 2; apart > 0; apart /= 2) {
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < room; i += blockDim.x) {
          const uint32_t other = i ^ apart;
          if (other < i) continue;
          const Placed<V> low = all[i], high = all[other];
          if (precedes(high, low, descending) == ((i & run) == 0)) {
            all[i] = high;
            all[other] = low;
          }
        }
      }
    __syncthreads();
    uint32_t first = from;
    if (nan_instead && all[size - 1].value != all[size - 1].value)
      for (first = size - 1; first > 0 && all[first - 1].value != all[first - 1].value;) --first;
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) out[uint64_t(row) * count + i] = all[first + i].place;
  }
}

} // namespace

#define RANKING(T, suffix)                                                                                 \
  extern "C" __global__ void first_places_##suffix(uint32_t rows, uint32_t size, uint32_t count,           \
                                                   uint32_t descending, int64_t *out, const T *a) {        \
    first_places(rows, size, count, descending != 0, out, a);                                              \
  }                                                                                                        \
  extern "C" __global__ void sorted_places_##suffix(uint32_t rows, uint32_t size, uint32_t from,           \
                                                    uint32_t count, uint32_t descending,                   \
                                                    uint32_t nan_instead, int64_t *out, const T *a) {      \
    sorted_places(rows, size, from, count, descending != 0, nan_instead != 0, out, a);                     \
  }
KERNELS_FOR_FLOATS(RANKING)
RANKING(int64_t, i64)
RANKING(uint8_t, u8)
