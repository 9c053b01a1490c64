// Losses and gradients at given classes, and gradients of looked-up rows.
#include "kernels.cuh"

using namespace warpup;

namespace {

// Classes of scores of the shape [rows, count, rest]: one for each row and each of the rest.
struct Classes {
  const int64_t *of;
  int64_t ignored;
  uint32_t count, rest;

  // Whether position `i` counts; a class that is neither ignored nor there ends the kernel.
  __device__ __forceinline__ bool counts(uint64_t i) const {
    const int64_t own = of[i];
    if (own == ignored) return false;
    assert(own >= 0 && own < int64_t(count));
    return true;
  }
  __device__ __forceinline__ uint64_t position(uint64_t i) const {
    return (i / rest * count + uint64_t(of[i])) * rest + i % rest;
  }
};

template <typename T>
__device__ void nll(uint64_t total, T *out, const T *scores, const Classes &classes, const T *weight) {
  using W = wide<T>;
  for (uint64_t i = first_element(); i < total; i += all_threads()) {
    W loss = 0;
    if (classes.counts(i)) loss = -widen(scores[classes.position(i)]) * (weight ? widen(weight[classes.of[i]]) : W(1));
    out[i] = narrow<T>(loss);
  }
}

// One block adds up the losses, and the weights for a mean.
template <typename T>
__device__ void nll_reduced(uint64_t total, T *out, const T *scores, const Classes &classes, const T *weight,
                            uint32_t is_mean) {
  using W = wide<T>;
  W sum = 0, weights = 0;
  for (uint64_t i = threadIdx.x; i < total; i += blockDim.x) {
    if (!classes.counts(i)) continue;
    const W own = weight ? widen(weight[classes.of[i]]) : W(1);
    sum -= widen(scores[classes.position(i)]) * own;
    weights += own;
  }
  sum = over_block(sum, Add());
  weights = over_block(weights, Add());
  if (threadIdx.x == 0) out[0] = narrow<T>(is_mean ? sum / weights : sum);
}

template <typename T>
__device__ void nll_weights(uint64_t total, wide<T> *out, const Classes &classes, const T *weight) {
  using W = wide<T>;
  W weights = 0;
  for (uint64_t i = threadIdx.x; i < total; i += blockDim.x)
    if (classes.counts(i)) weights += weight ? widen(weight[classes.of[i]]) : W(1);
  weights = over_block(weights, Add());
  if (threadIdx.x == 0) out[0] = weights;
}

// `weights` is absent where the gradient is not divided; `each` says that each position has a gradient of its own.
template <typename T>
__device__ void nll_backward(uint64_t elements, T *out, const T *grad, const Classes &classes, const T *weight,
                             const wide<T> *weights, uint32_t each) {
  using W = wide<T>;
  for (uint64_t at = first_element(); at < elements; at += all_threads()) {
    const uint64_t rest = at % classes.rest, above = at / classes.rest;
    const uint64_t i = above / classes.count * classes.rest + rest;
    W value = 0;
    if (classes.of[i] == int64_t(above % classes.count) && classes.of[i] != classes.ignored) {
      value = -widen(grad[each ? i : 0]) * (weight ? widen(weight[classes.of[i]]) : W(1));
      if (weights) value /= weights[0];
    }
    out[at] = narrow<T>(value);
  }
}

// Adds rows to those of their numbers. A block takes a row at a time.
template <typename T>
__device__ void add_rows(uint64_t count, uint32_t width, int64_t all, int64_t padding, wide<T> *out, const int64_t *rows,
                         const T *grad) {
  for (uint64_t i = blockIdx.x; i < count; i += gridDim.x) {
    const int64_t row = rows[i];
    if (row == padding) continue;
    assert(row >= 0 && row < all);
    for (uint32_t column = threadIdx.x; column < width; column += blockDim.x)
      atomicAdd(out + row * width + column, widen(grad[i * width + column]));
  }
}

} // namespace

#define AT_INDEX(T, suffix)                                                                                \
  extern "C" __global__ void nll_##suffix(uint64_t total, T *out, const T *scores, const int64_t *classes, \
                                          int64_t ignored, uint32_t count, uint32_t rest,                  \
                                          const T *weight) {                                               \
    nll(total, out, scores, Classes{classes, ignored, count, rest}, weight);                               \
  }                                                                                                        \
  extern "C" __global__ void nll_reduced_##suffix(uint64_t total, T *out, const T *scores,                 \
                                                  const int64_t *classes, int64_t ignored, uint32_t count, \
                                                  uint32_t rest, const T *weight, uint32_t is_mean) {      \
    nll_reduced(total, out, scores, Classes{classes, ignored, count, rest}, weight, is_mean);              \
  }                                                                                                        \
  extern "C" __global__ void nll_weights_##suffix(uint64_t total, wide<T> *out, const int64_t *classes,    \
                                                  int64_t ignored, uint32_t count, uint32_t rest,          \
                                                  const T *weight) {                                       \
    nll_weights(total, out, Classes{classes, ignored, count, rest}, weight);                               \
  }                                                                                                        \
  extern "C" __global__ void nll_backward_##suffix(uint64_t elements, T *out, const T *grad,               \
                                                   const int64_t *classes, int64_t ignored,                \
                                                   uint32_t count, uint32_t rest, const T *weight,         \
                                                   const wide<T> *weights, uint32_t each) {                \
    nll_backward(elements, out, grad, Classes{classes, ignored, count, rest}, weight, weights, each);      \
  }                                                                                                        \
  extern "C" __global__ void add_rows_##suffix(uint64_t count, uint32_t width, int64_t all,                \
                                               int64_t padding, wide<T> *out, const int64_t *rows,         \
                                               const T *grad) {                                            \
    add_rows(count, width, all, padding, out, rows, grad);                                                 \
  }
KERNELS_FOR_FLOATS(AT_INDEX)
