// Softmax, log-softmax, layer norm and RMS norm, and their backward. A block takes a row; sums are made in float at least.
#include "kernels.cuh"

using namespace warpup;

namespace {

// A reduction over the elements of a row by all threads of its block.
template <typename W, typename T, typename F, typename Op>
__device__ W over_row(uint32_t size, W start, Op op, F f, const T *row) {
  W value = start;
  constexpr unsigned pack = Pack<T>::size;
  uint32_t done = 0;
  if (in_packs(row)) {
    for (uint32_t i = threadIdx.x; i < size / pack; i += blockDim.x) {
      const Pack<T> packed = reinterpret_cast<const Pack<T> *>(row)[i];
#pragma unroll
      for (unsigned k = 0; k < pack; ++k) value = op(value, f(i * pack + k, widen(packed.elements[k])));
    }
    done = size / pack * pack;
  }
  for (uint32_t i = done + threadIdx.x; i < size; i += blockDim.x) value = op(value, f(i, widen(row[i])));
  return over_block(value, op);
}

enum class Kind { softmax, log_softmax };

template <Kind kind, typename T> __device__ void softmax(uint64_t rows, uint32_t size, T *out, const T *a) {
  using W = wide<T>;
  for (uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const T *in = a + row * size;
    const W largest = over_row(size, W(-INFINITY), Larger(), [](uint32_t, W x) { return x; }, in);
    const W sum = over_row(size, W(0), Add(), [=](uint32_t, W x) { return exp(x - largest); }, in);
    const W share = W(1) / sum, log_sum = log(sum);
    map(threadIdx.x, blockDim.x, size, out + row * size, [=](uint64_t, W x) {
      return kind == Kind::softmax ? exp(x - largest) * share : x - largest - log_sum;
    }, in);
  }
}

template <Kind kind, typename T>
__device__ void softmax_backward(uint64_t rows, uint32_t size, T *out, const T *grad, const T *made) {
  using W = wide<T>;
  for (uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const T *g = grad + row * size, *y = made + row * size;
    const W sum = over_row(size, W(0), Add(), [=](uint32_t i, W x) {
      return kind == Kind::softmax ? x * widen(y[i]) : x;
    }, g);
    map(threadIdx.x, blockDim.x, size, out + row * size, [=](uint64_t, W g, W y) {
      return kind == Kind::softmax ? (g - sum) * y : g - exp(y) * sum;
    }, g, y);
  }
}

template <typename W> struct Moments {
  W mean, factor;
};

template <typename T, typename W = wide<T>>
__device__ Moments<W> moments(const T *row, uint32_t size, bool centred, W eps) {
  W mean = 0;
  if (centred) mean = over_row(size, W(0), Add(), [](uint32_t, W x) { return x; }, row) / W(size);
  const W squares = over_row(size, W(0), Add(), [=](uint32_t, W x) { return (x - mean) * (x - mean); }, row);
  return {mean, W(1) / sqrt(squares / W(size) + eps)};
}

template <typename T>
__device__ void norm(uint64_t rows, uint32_t size, T *out, const T *a, const T *weight, const T *bias,
                     uint32_t centred, double eps) {
  using W = wide<T>;
  for (uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const T *in = a + row * size;
    const Moments<W> of = moments(in, size, centred, W(eps));
    map(threadIdx.x, blockDim.x, size, out + row * size, [=](uint64_t i, W x) {
      W y = (x - of.mean) * of.factor;
      if (weight) y *= widen(weight[i]);
      if (bias) y += widen(bias[i]);
      return y;
    }, in);
  }
}

template <typename T>
__device__ void norm_backward(uint64_t rows, uint32_t size, T *out, const T *grad, const T *a, const T *weight,
                              uint32_t centred, double eps) {
  using W = wide<T>;
  for (uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const T *in = a + row * size, *g = grad + row * size;
    const Moments<W> of = moments(in, size, centred, W(eps));
    const auto scaled = [=](uint64_t i, W g) { return weight ? g * widen(weight[i]) : g; };
    const W along = over_row(size, W(0), Add(), [=](uint32_t i, W g) {
      return scaled(i, g) * (widen(in[i]) - of.mean) * of.factor;
    }, g) / W(size);
    W shift = 0;
    if (centred) shift = over_row(size, W(0), Add(), [=](uint32_t i, W g) { return scaled(i, g); }, g) / W(size);
    map(threadIdx.x, blockDim.x, size, out + row * size, [=](uint64_t i, W g, W x) {
      return of.factor * (scaled(i, g) - shift - (x - of.mean) * of.factor * along);
    }, g, in);
  }
}

// Mean and factor of each row, for the gradients of weight and bias.
template <typename T>
__device__ void norm_moments(uint64_t rows, uint32_t size, wide<T> *out, const T *a, uint32_t centred, double eps) {
  for (uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const Moments<wide<T>> of = moments(a + row * size, size, centred, wide<T>(eps));
    if (threadIdx.x == 0) {
      out[2 * row] = of.mean;
      out[2 * row + 1] = of.factor;
    }
  }
}

// Sums over a part of the rows for 32 columns: of gradient times normalized input, and of the gradient. A block has 8 rows
// of 32 threads; there are `parts` blocks for each 32 columns.
template <typename T>
__device__ void norm_affine(uint64_t rows, uint32_t size, uint32_t parts, wide<T> *out, const T *grad, const T *a,
                            const wide<T> *of) {
  using W = wide<T>;
  __shared__ W sums[2][8][32];
  const uint32_t lane = threadIdx.x % 32, line = threadIdx.x / 32;
  const uint32_t column = blockIdx.x / parts * 32 + lane, part = blockIdx.x % parts;
  const uint64_t each = (rows + parts - 1) / parts, first = part * each;
  const uint64_t last = first + each < rows ? first + each : rows;
  W of_weight = 0, of_bias = 0;
  if (column < size) {
    for (uint64_t row = first + line; row < last; row += 8) {
      const W g = widen(grad[row * size + column]);
      of_weight += g * (widen(a[row * size + column]) - of[2 * row]) * of[2 * row + 1];
      of_bias += g;
    }
  }
  sums[0][line][lane] = of_weight;
  sums[1][line][lane] = of_bias;
  __syncthreads();
  if (line < 2 && column < size) {
    W sum = 0;
    for (unsigned i = 0; i < 8; ++i) sum += sums[line][i][lane];
    out[(uint64_t(part) * 2 + line) * size + column] = sum;
  }
}

} // namespace

#define ROWS(T, suffix)                                                                                    \
  extern "C" __global__ void softmax_##suffix(uint64_t rows, uint32_t size, T *out, const T *a) {          \
    softmax<Kind::softmax>(rows, size, out, a);                                                            \
  }                                                                                                        \
  extern "C" __global__ void log_softmax_##suffix(uint64_t rows, uint32_t size, T *out, const T *a) {      \
    softmax<Kind::log_softmax>(rows, size, out, a);                                                        \
  }                                                                                                        \
  extern "C" __global__ void softmax_backward_##suffix(uint64_t rows, uint32_t size, T *out, const T *g,   \
                                                       const T *y) {                                       \
    softmax_backward<Kind::softmax>(rows, size, out, g, y);                                                \
  }                                                                                                        \
  extern "C" __global__ void log_softmax_backward_##suffix(uint64_t rows, uint32_t size, T *out,           \
                                                           const T *g, const T *y) {                       \
    softmax_backward<Kind::log_softmax>(rows, size, out, g, y);                                            \
  }                                                                                                        \
  extern "C" __global__ void norm_##suffix(uint64_t rows, uint32_t size, T *out, const T *a,               \
                                           const T *weight, const T *bias, uint32_t centred, double eps) { \
    norm(rows, size, out, a, weight, bias, centred, eps);                                                  \
  }                                                                                                        \
  extern "C" __global__ void norm_backward_##suffix(uint64_t rows, uint32_t size, T *out, const T *g,      \
                                                    const T *a, const T *weight, uint32_t centred,         \
                                                    double eps) {                                          \
    norm_backward(rows, size, out, g, a, weight, centred, eps);                                            \
  }                                                                                                        \
  extern "C" __global__ void norm_moments_##suffix(uint64_t rows, uint32_t size, wide<T> *out, const T *a, \
                                                   uint32_t centred, double eps) {                         \
    norm_moments(rows, size, out, a, centred, eps);                                                        \
  }                                                                                                        \
  extern "C" __global__ void norm_affine_##suffix(uint64_t rows, uint32_t size, uint32_t parts,            \
                                                  wide<T> *out, const T *g, const T *a,                    \
                                                  const wide<T> *of) {                                     \
    norm_affine(rows, size, parts, out, g, a, of);                                                         \
  }
KERNELS_FOR_FLOATS(ROWS)
