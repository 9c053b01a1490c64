// Sums and products up to each element along a dimension.
#include "reduction.cuh"

using namespace warpup;

namespace {

// What the lanes of a warp below this one and itself have, joined.
template <typename Op, typename V> __device__ __forceinline__ V up_to_lane(V value) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned below = 1; below < 32; below *= 2) {
    const V other = __shfl_up_sync(0xffffffffu, value, below);
    if (lane >= below) value = Op::joined(other, value);
  }
  return value;
}

// What the threads of a block before this one have, joined, and what all have.
template <typename Op, typename V> __device__ __forceinline__ V before_thread(V value, V *all) {
  __shared__ V of_warps[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const V own = up_to_lane<Op>(value);
  V before = __shfl_up_sync(0xffffffffu, own, 1);
  if (lane == 0) before = Op::start();
  __syncthreads();
  if (lane == 31) of_warps[warp] = own;
  __syncthreads();
  V total = Op::start(), of_earlier = Op::start();
  for (unsigned i = 0; i < warps; ++i) {
    if (i == warp) of_earlier = total;
    total = Op::joined(total, of_warps[i]);
  }
  *all = total;
  return Op::joined(of_earlier, before);
}

// A tensor is `outer` times `count` rows of `inner` elements, and goes along the rows. A block takes one of `outer` where
// elements lie behind each other, and else a thread takes a column.
template <typename Op, typename T>
__device__ void scan(uint32_t outer, uint32_t count, uint32_t inner, typename Op::Result *out, const T *a) {
  using V = kept<T>;
  constexpr uint32_t each = 4;
  const Numbers one{1, 0};
  if (inner == 1) {
    for (uint32_t row = blockIdx.x; row < outer; row += gridDim.x) {
      const uint64_t start = uint64_t(row) * count;
      V total = Op::start();
      for (uint32_t first = 0; first < count; first += blockDim.x * each) {
        const uint32_t own = first + threadIdx.x * each;
        V values[each], sum = Op::start();
#pragma unroll
        for (uint32_t k = 0; k < each; ++k) {
          if (own + k < count) sum = Op::with(sum, V(a[start + own + k]), 0, one);
          values[k] = sum;
        }
        V all;
        const V before = Op::joined(total, before_thread<Op>(sum, &all));
#pragma unroll
        for (uint32_t k = 0; k < each; ++k)
          if (own + k < count) out[start + own + k] = Op::result(Op::joined(before, values[k]), one);
        total = Op::joined(total, all);
      }
    }
    return;
  }
  for (uint64_t i = first_element(); i < uint64_t(outer) * inner; i += all_threads()) {
    uint64_t at = i / inner * count * inner + i % inner;
    V total = Op::start();
    for (uint32_t row = 0; row < count; ++row, at += inner) {
      total = Op::with(total, V(a[at]), 0, one);
      out[at] = Op::result(total, one);
    }
  }
}

} // namespace

#define SCAN(T, suffix, name, Op)                                                                          \
  extern "C" __global__ void scan_##name##_##suffix(uint32_t outer, uint32_t count, uint32_t inner,        \
                                                    Op<T>::Result *out, const T *a) {                      \
    scan<Op<T>>(outer, count, inner, out, a);                                                              \
  }
#define SCANS(T, suffix)                                                                                   \
  SCAN(T, suffix, sum, SumOf)                                                                              \
  SCAN(T, suffix, product, ProductOf)
KERNELS_FOR_FLOATS(SCANS)
SCANS(int64_t, i64)
SCANS(uint8_t, u8)
