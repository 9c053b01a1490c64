// Reductions over any dimensions, in any strides. Where few results are of many elements, several blocks share each, and a
// second kernel joins their states.
#include "reduction.cuh"

using namespace warpup;

namespace {

// Which threads of a block take the elements of one result.
enum Team : uint32_t { block, warp, lanes };

// There are `count` results, of `each` elements; `parts` blocks share one. A thread takes `pack` elements at once.
struct Shape {
  uint32_t count, each, parts, team, pack, unused[3];
};

template <typename Op> struct Joined {
  template <typename State> __device__ __forceinline__ State operator()(const State &a, const State &b) const {
    return Op::joined(a, b);
  }
};

template <typename V, typename T> __device__ __forceinline__ V value_of(T x) {
  if constexpr (std::is_integral<T>::value) return V(x);
  else return widen(x);
}

// The state of the elements from unit `first` on.
template <typename Op, typename T>
__device__ __forceinline__ typename Op::State state_of(const Shape &shape, uint32_t first, uint32_t last, uint32_t step,
                                                       bool takes_rest, const T *a, const Walk &over, Numbers of) {
  using V = kept<T>;
  typename Op::State state = Op::start();
  constexpr uint32_t size = Pack<T>::size;
  if (shape.pack == size) {
#pragma unroll 2
    for (uint32_t i = first; i < last; i += step) {
      const Pack<T> packed = *reinterpret_cast<const Pack<T> *>(a + over.position(i * size));
#pragma unroll
      for (uint32_t k = 0; k < size; ++k) state = Op::with(state, value_of<V>(packed.elements[k]), i * size + k, of);
    }
    // What is left over when the elements lie behind each other.
    if (takes_rest)
      for (uint32_t i = shape.each / size * size + first % step; i < shape.each; i += step)
        state = Op::with(state, value_of<V>(a[i]), i, of);
    return state;
  }
  if (over.rank <= 1) {
    const int64_t stride = over.rank ? over.strides[0] : 0;
#pragma unroll 4
    for (uint32_t i = first; i < last; i += step) state = Op::with(state, value_of<V>(a[i * stride]), i, of);
    return state;
  }
  for (uint32_t i = first; i < last; i += step) state = Op::with(state, value_of<V>(a[over.position(i)]), i, of);
  return state;
}

template <typename Op, typename T>
__device__ void reduce(const Shape &shape, void *out, const T *a, const Walk &results, const Walk &over, Numbers of) {
  using State = typename Op::State;
  const uint32_t lane = threadIdx.x % 32, line = threadIdx.x / 32, lines = blockDim.x / 32;
  const uint32_t unit = blockIdx.x / shape.parts, part = blockIdx.x % shape.parts;
  const uint32_t at = shape.team == block ? unit : shape.team == warp ? unit * lines + line : unit * 32 + lane;
  const uint32_t own = shape.team == block ? threadIdx.x : shape.team == warp ? lane : line;
  const uint32_t step = shape.team == block ? blockDim.x : shape.team == warp ? 32 : lines;
  const bool is_there = at < shape.count;
  const uint32_t all = shape.each / shape.pack;
  // A multiple of the step, so that a thread knows its number from where it begins.
  const uint32_t share = ((all + shape.parts - 1) / shape.parts + step - 1) / step * step;
  const uint32_t first = part * share + own, end = (part + 1) * share;
  State state = Op::start();
  if (is_there)
    state = state_of<Op>(shape, first, end < all ? end : all, step, part == shape.parts - 1, a + results.position(at), over, of);
  if (shape.team == block) state = over_block(state, Joined<Op>());
  if (shape.team == warp) state = over_warp(state, Joined<Op>());
  if (shape.team == lanes) state = over_lines(state, Joined<Op>());
  if (own != 0 || !is_there) return;
  if (shape.parts == 1)
    static_cast<typename Op::Result *>(out)[at] = Op::result(state, of);
  else
    static_cast<State *>(out)[uint64_t(at) * shape.parts + part] = state;
}

// Joins the states of the parts of each result. A block takes one.
template <typename Op>
__device__ void join(uint32_t parts, typename Op::Result *out, const typename Op::State *states, Numbers of) {
  typename Op::State state = Op::start();
  for (uint32_t part = threadIdx.x; part < parts; part += blockDim.x)
    state = Op::joined(state, states[uint64_t(blockIdx.x) * parts + part]);
  state = over_block(state, Joined<Op>());
  if (threadIdx.x == 0) out[blockIdx.x] = Op::result(state, of);
}

} // namespace

#define REDUCTION(T, suffix, name, Op)                                                                     \
  extern "C" __global__ void reduce_##name##_##suffix(Shape shape, void *out, const T *a, Walk results,    \
                                                      Walk over, double p, double q) {                     \
    reduce<Op<T>>(shape, out, a, results, over, Numbers{p, q});                                            \
  }                                                                                                        \
  extern "C" __global__ void join_##name##_##suffix(uint32_t parts, Op<T>::Result *out,                    \
                                                    const Op<T>::State *states, double p, double q) {      \
    join<Op<T>>(parts, out, states, Numbers{p, q});                                                        \
  }

#define FOR_ALL(T, suffix)                                                                                 \
  REDUCTION(T, suffix, sum, SumOf)                                                                         \
  REDUCTION(T, suffix, product, ProductOf)                                                                 \
  REDUCTION(T, suffix, largest, LargestOf)                                                                 \
  REDUCTION(T, suffix, smallest, SmallestOf)                                                               \
  REDUCTION(T, suffix, any, AnyOf)                                                                         \
  REDUCTION(T, suffix, all, AllOf)                                                                         \
  REDUCTION(T, suffix, count, CountOf)                                                                     \
  REDUCTION(T, suffix, place_of_largest, PlaceOfLargest)                                                   \
  REDUCTION(T, suffix, place_of_smallest, PlaceOfSmallest)

#define FOR_FLOATS(T, suffix)                                                                              \
  FOR_ALL(T, suffix)                                                                                       \
  REDUCTION(T, suffix, abs_sum, AbsSumOf)                                                                  \
  REDUCTION(T, suffix, square_sum, SquareSumOf)                                                            \
  REDUCTION(T, suffix, power_sum, PowerSumOf)                                                              \
  REDUCTION(T, suffix, largest_abs, LargestAbsOf)                                                          \
  REDUCTION(T, suffix, variance, VarianceOf)                                                               \
  REDUCTION(T, suffix, log_sum_exp, LogSumExpOf)

KERNELS_FOR_FLOATS(FOR_FLOATS)
FOR_ALL(int64_t, i64)
FOR_ALL(uint8_t, u8)
