// Batch norm and group norm, and their backward: one kernel that reduces and one for each element.
//
// A row is what one mean is of: a channel over the batch, or a group of channels of a sample. It may be shared by several
// blocks, its parts, whose sums the next kernel joins.
#include "channels.cuh"

using namespace warpup;

namespace {

template <bool with_grad, typename T>
__device__ void sums(const Rows &rows, Sums<wide<T>> *out, const T *x, const T *grad, const Parameters &weight) {
  using W = wide<T>;
  const Share own(rows, rows.parts);
  const W count = W(own.elements(rows.pack));
  // All that a thread takes is less its first element, so that no large squares are subtracted from each other.
  const W shift = count > 0 ? widen(x[rows.position(own.row, own.first * rows.pack)]) : W(0);
  W sum = 0, squares = 0, grads = 0, along = 0;
  own.each<with_grad>(rows, x, grad, [&](uint32_t channel, W x, W g) {
    x -= shift;
    sum += x;
    squares += x * x;
    if (with_grad) {
      if (weight.at) g *= weight.of<T>(channel);
      grads += g;
      along += g * x;
    }
  });
  const W away = count > 0 ? sum / count : W(0);
  Sums<W> of{count, shift + away, squares - sum * away, grads, along - grads * away};
  of = rows.lanes ? over_lines(of, Join()) : over_block(of, Join());
  if (own.gives) out[uint64_t(own.row) * rows.parts + own.share] = of;
}

// Mean and factor of a row: of sums, or given.
template <typename T> struct Scale {
  using W = wide<T>;
  Sums<W> of;
  W mean, factor;

  __device__ Scale(const Rows &rows, uint32_t row, const Sums<W> *parts, const Parameters &means,
                   const Parameters &variances, double eps) {
    of = parts ? rows.joined(parts, row) : Sums<W>{};
    if (means.at) {
      mean = means.of<T>(row);
      factor = W(1) / sqrt(variances.of<T>(row) + W(eps));
      // What is summed along the difference from the mean is so from the given one.
      of.along += of.grads * (of.mean - mean);
    } else {
      mean = of.mean;
      factor = W(1) / sqrt(of.squares / of.count + W(eps));
    }
  }
};

template <typename T>
__device__ void norm(const Rows &rows, uint32_t shares, T *out, const T *x, const Sums<wide<T>> *parts, const Parameters &means,
                     const Parameters &variances, const Parameters &weight, const Parameters &bias, double eps) {
  using W = wide<T>;
  const Share own(rows, shares);
  // A lane behind the last row takes nothing.
  const uint32_t row = own.row < rows.count ? own.row : rows.count - 1;
  const Scale<T> scale(rows, row, parts, means, variances, eps);
  own.map<false>(rows, out, x, static_cast<const T *>(nullptr), [&](uint32_t channel, W x, W) {
    W y = (x - scale.mean) * scale.factor;
    if (weight.at) y *= weight.of<T>(channel);
    if (bias.at) y += bias.of<T>(channel);
    return y;
  });
}

template <typename T>
__device__ void norm_backward(const Rows &rows, uint32_t shares, T *out, const T *grad, const T *x, const Sums<wide<T>> *parts,
                              const wide<T> *made, const Parameters &means, const Parameters &variances, const Parameters &weight,
                              double eps) {
  using W = wide<T>;
  const Share own(rows, shares);
  // A lane behind the last row takes nothing.
  const uint32_t row = own.row < rows.count ? own.row : rows.count - 1;
  Scale<T> scale(rows, row, parts, means, variances, eps);
  if (made) {
    // Of gradients that have no weight yet, and a row is a channel.
    const W by = weight.at ? weight.of<T>(row) : W(1);
    scale.mean = made[2 * rows.count + row];
    scale.factor = made[3 * rows.count + row];
    scale.of = {W(rows.outer * rows.inner), scale.mean, 0, made[rows.count + row] * by, made[row] / scale.factor * by};
  }
  // Given statistics do not depend on the input.
  const W count = scale.of.count;
  const W shift = means.at ? W(0) : scale.of.grads / count;
  const W slope = means.at ? W(0) : scale.of.along * scale.factor * scale.factor / count;
  own.map<true>(rows, out, x, grad, [&](uint32_t channel, W x, W g) {
    if (weight.at) g *= weight.of<T>(channel);
    return means.at ? scale.factor * g : scale.factor * (g - shift - (x - scale.mean) * slope);
  });
}

// Mean and unbiased variance of each row.
template <typename T> __device__ void moments(const Rows &rows, T *out, const Sums<wide<T>> *parts) {
  const uint32_t row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows.count) return;
  const Sums<wide<T>> of = rows.joined(parts, row);
  if (threadIdx.x % 32) return;
  out[row] = narrow<T>(of.mean);
  out[rows.count + row] = narrow<T>(of.squares / (of.count - 1));
}

// The gradients of weight and bias, where a row is a channel.
template <typename T>
__device__ void affine(const Rows &rows, wide<T> *out, const Sums<wide<T>> *parts, const Parameters &means,
                       const Parameters &variances, bool with_scale, double eps) {
  const uint32_t row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows.count) return;
  const Scale<T> scale(rows, row, parts, means, variances, eps);
  if (threadIdx.x % 32) return;
  out[row] = scale.of.along * scale.factor;
  out[rows.count + row] = scale.of.grads;
  if (!with_scale) return;
  // For the gradient of the input.
  out[2 * rows.count + row] = scale.mean;
  out[3 * rows.count + row] = scale.factor;
}

// The same where a row is a group of channels of a sample. A block takes a channel, and each of its warps a sample.
template <typename T>
__device__ void affine_of_groups(const Rows &rows, wide<T> *out, const T *grad, const T *x,
                                 const Sums<wide<T>> *parts, double eps) {
  using W = wide<T>;
  const uint32_t per = rows.inner / rows.spatial, channels = rows.groups * per, samples = rows.count / rows.groups;
  const uint32_t warps = blockDim.x / 32, lane = threadIdx.x % 32;
  for (uint32_t channel = blockIdx.x; channel < channels; channel += gridDim.x) {
    W of_weight = 0, of_bias = 0;
    for (uint32_t sample = threadIdx.x / 32; sample < samples; sample += warps) {
      const uint32_t row = sample * rows.groups + channel / per;
      const Scale<T> scale(rows, row, parts, Parameters{}, Parameters{}, eps);
      const uint64_t start = (uint64_t(sample) * channels + channel) * rows.spatial;
      W along = 0;
      for (uint32_t i = lane; i < rows.spatial; i += 32) {
        const W g = widen(grad[start + i]);
        of_bias += g;
        along += g * (widen(x[start + i]) - scale.mean);
      }
      of_weight += along * scale.factor;
    }
    of_weight = over_block(of_weight, Add());
    of_bias = over_block(of_bias, Add());
    if (threadIdx.x == 0) {
      out[channel] = of_weight;
      out[channels + channel] = of_bias;
    }
  }
}

} // namespace

#define CHANNELS(T, suffix)                                                                                \
  extern "C" __global__ void channel_sums_##suffix(Rows rows, Sums<wide<T>> *out, const T *x, const T *grad, \
                                                   const void *weight, uint32_t narrow_weight) {           \
    if (grad)                                                                                              \
      sums<true>(rows, out, x, grad, Parameters{weight, narrow_weight});                                \
    else                                                                                                   \
      sums<false>(rows, out, x, grad, Parameters{});                                                    \
  }                                                                                                        \
  extern "C" __global__ void channel_norm_##suffix(                                                        \
      Rows rows, uint32_t shares, T *out, const T *x, const Sums<wide<T>> *parts, const void *means, const void *variances, \
      uint32_t narrow_statistics, const void *weight, const void *bias, uint32_t narrow_weight,            \
      double eps) {                                                                                        \
    norm(rows, shares, out, x, parts, Parameters{means, narrow_statistics}, Parameters{variances, narrow_statistics}, \
         Parameters{weight, narrow_weight}, Parameters{bias, narrow_weight}, eps);                         \
  }                                                                                                        \
  extern "C" __global__ void channel_norm_backward_##suffix(                                               \
      Rows rows, uint32_t shares, T *out, const T *grad, const T *x, const Sums<wide<T>> *parts, const wide<T> *made,       \
      const void *means, const void *variances, uint32_t narrow_statistics, const void *weight,            \
      uint32_t narrow_weight,                                                                              \
      double eps) {                                                                                        \
    norm_backward(rows, shares, out, grad, x, parts, made, Parameters{means, narrow_statistics},                         \
                  Parameters{variances, narrow_statistics}, Parameters{weight, narrow_weight}, eps);       \
  }                                                                                                        \
  extern "C" __global__ void channel_moments_##suffix(Rows rows, T *out, const Sums<wide<T>> *parts) {     \
    moments(rows, out, parts);                                                                             \
  }                                                                                                        \
  extern "C" __global__ void channel_affine_##suffix(Rows rows, wide<T> *out, const Sums<wide<T>> *parts,  \
                                                     const void *means, const void *variances,             \
                                                     uint32_t narrow_statistics, uint32_t with_scale,      \
                                                     double eps) {                                         \
    affine<T>(rows, out, parts, Parameters{means, narrow_statistics}, Parameters{variances, narrow_statistics}, \
              with_scale != 0, eps);                                                                                        \
  }                                                                                                        \
  extern "C" __global__ void channel_affine_of_groups_##suffix(Rows rows, wide<T> *out, const T *grad,     \
                                                               const T *x, const Sums<wide<T>> *parts,     \
                                                               double eps) {                               \
    affine_of_groups(rows, out, grad, x, parts, eps);                                                      \
  }
KERNELS_FOR_FLOATS(CHANNELS)
