// Pooling: the largest or the mean element of each window, and the gradients. A thread takes one element of the result.
#include "kernels.cuh"

using namespace warpup;

namespace {

// The windows along one dimension. Those of a `kernel` of 0 divide the dimension among them.
struct Windows {
  uint32_t size, count, kernel, stride, padding, dilation, unused[2];
};

// The positions of a dimension in one window: from `first` on in steps, below `end`.
struct Inside {
  uint32_t first, end, step;

  __device__ Inside(const Windows &of, uint32_t window) {
    step = 1;
    if (of.kernel == 0) {
      first = uint32_t(uint64_t(window) * of.size / of.count);
      end = uint32_t((uint64_t(window + 1) * of.size + of.count - 1) / of.count);
      return;
    }
    step = of.dilation;
    const uint32_t start = window * of.stride, last = start + (of.kernel - 1) * step;
    const uint32_t before = start < of.padding ? (of.padding - start + step - 1) / step : 0;
    first = start + before * step - of.padding;
    end = last < of.padding ? 0 : last - of.padding + 1 < of.size ? last - of.padding + 1 : of.size;
  }
  __device__ __forceinline__ uint32_t count() const { return first < end ? (end - first + step - 1) / step : 0; }
};

// How many positions a window has with those in the padding.
__device__ __forceinline__ uint32_t with_padding(const Windows &of, uint32_t window) {
  if (of.kernel == 0) return Inside(of, window).count();
  const uint32_t start = window * of.stride, all = of.size + 2 * of.padding;
  if (start >= all) return 0;
  const uint32_t count = (all - start + of.dilation - 1) / of.dilation;
  return count < of.kernel ? count : of.kernel;
}

// The windows that a position may be in, the last one included.
struct Around {
  uint32_t first, last;

  __device__ Around(const Windows &of, uint32_t position) {
    if (of.kernel == 0) {
      first = uint32_t(uint64_t(position) * of.count / of.size);
      last = uint32_t((uint64_t(position + 1) * of.count - 1) / of.size);
      return;
    }
    const uint32_t at = position + of.padding, reach = (of.kernel - 1) * of.dilation;
    first = at < reach ? 0 : (at - reach + of.stride - 1) / of.stride;
    last = at / of.stride < of.count ? at / of.stride : of.count - 1;
  }
};

__device__ __forceinline__ bool is_inside(const Windows &of, uint32_t window, uint32_t position) {
  return of.kernel == 0 || (position + of.padding - window * of.stride) % of.dilation == 0;
}

// What the sum of a window is divided by.
struct Divisor {
  // 0: the positions inside, 1: those in the padding, too, 2: a number.
  uint32_t kind;
  double number;

  template <typename W>
  __device__ W of(const Windows &depth, const Windows &height, const Windows &width, uint32_t d, uint32_t h, uint32_t w) const {
    if (kind == 2) return W(number);
    if (kind == 1) return W(with_padding(depth, d)) * W(with_padding(height, h)) * W(with_padding(width, w));
    return W(Inside(depth, d).count()) * W(Inside(height, h).count()) * W(Inside(width, w).count());
  }
};

// A number in row-major order as that of a plane and a place on it.
struct Place {
  uint32_t plane, d, h, w;

  __device__ __forceinline__ Place(uint32_t element, uint32_t depth, uint32_t height, uint32_t width) {
    w = element % width;
    element /= width;
    h = element % height;
    element /= height;
    d = element % depth;
    plane = element / depth;
  }
};

template <typename T>
__device__ void largest(uint32_t count, int64_t *out, const T *a, const Windows &depth, const Windows &height,
                        const Windows &width) {
  const uint64_t plane = uint64_t(depth.size) * height.size * width.size;
  for (uint64_t i = first_element(); i < count; i += all_threads()) {
    const Place at(uint32_t(i), depth.count, height.count, width.count);
    const Inside ds(depth, at.d), hs(height, at.h), ws(width, at.w);
    const T *in = a + at.plane * plane;
    wide<T> most = -INFINITY;
    int64_t found = -1;
    for (uint32_t d = ds.first; d < ds.end; d += ds.step)
      for (uint32_t h = hs.first; h < hs.end; h += hs.step)
        for (uint32_t w = ws.first; w < ws.end; w += ws.step) {
          const uint32_t position = (d * height.size + h) * width.size + w;
          const wide<T> x = widen(in[position]);
          // NaN is the largest, and the last one counts, as in PyTorch.
          if (x > most || x != x || found < 0) {
            most = x;
            found = position;
          }
        }
    out[i] = found < 0 ? 0 : found;
  }
}

// The elements at positions of planes; there are `each` for a plane.
template <typename T>
__device__ void taken(uint64_t count, T *out, const T *a, const int64_t *positions, uint64_t plane, uint64_t each) {
  for (uint64_t i = first_element(); i < count; i += all_threads()) {
    const int64_t at = positions[i];
    out[i] = at >= 0 && uint64_t(at) < plane ? a[i / each * plane + at] : narrow<T>(NAN);
  }
}

// Adds elements to zeros at positions of planes.
template <typename T>
__device__ void put(uint64_t count, wide<T> *out, const T *a, const int64_t *positions, uint64_t plane, uint64_t each) {
  for (uint64_t i = first_element(); i < count; i += all_threads()) {
    const int64_t at = positions[i];
    if (at >= 0 && uint64_t(at) < plane) atomicAdd(out + i / each * plane + at, widen(a[i]));
  }
}

// The gradients of the windows whose largest element this is.
template <typename T>
__device__ void largest_backward(uint32_t count, T *out, const T *grad, const int64_t *positions, const Windows &depth,
                                 const Windows &height, const Windows &width) {
  const uint64_t windows = uint64_t(depth.count) * height.count * width.count;
  for (uint64_t i = first_element(); i < count; i += all_threads()) {
    const Place at(uint32_t(i), depth.size, height.size, width.size);
    const int64_t own = (at.d * height.size + at.h) * width.size + at.w;
    const Around ds(depth, at.d), hs(height, at.h), ws(width, at.w);
    wide<T> sum = 0;
    for (uint32_t d = ds.first; d <= ds.last; ++d)
      for (uint32_t h = hs.first; h <= hs.last; ++h)
        for (uint32_t w = ws.first; w <= ws.last; ++w) {
          const uint64_t window = at.plane * windows + (d * height.count + h) * width.count + w;
          if (positions[window] == own) sum += widen(grad[window]);
        }
    out[i] = narrow<T>(sum);
  }
}

template <typename T>
__device__ void means(uint32_t count, T *out, const T *a, const Windows &depth, const Windows &height, const Windows &width,
                      const Divisor &divisor) {
  using W = wide<T>;
  const uint64_t plane = uint64_t(depth.size) * height.size * width.size;
  for (uint64_t i = first_element(); i < count; i += all_threads()) {
    const Place at(uint32_t(i), depth.count, height.count, width.count);
    const Inside ds(depth, at.d), hs(height, at.h), ws(width, at.w);
    const T *in = a + at.plane * plane;
    W sum = 0;
    for (uint32_t d = ds.first; d < ds.end; d += ds.step)
      for (uint32_t h = hs.first; h < hs.end; h += hs.step)
        for (uint32_t w = ws.first; w < ws.end; w += ws.step) sum += widen(in[(d * height.size + h) * width.size + w]);
    out[i] = narrow<T>(sum / divisor.of<W>(depth, height, width, at.d, at.h, at.w));
  }
}

// What the windows around each element give it of their gradients.
template <typename T>
__device__ void spread(uint32_t count, T *out, const T *grad, const Windows &depth, const Windows &height,
                       const Windows &width, const Divisor &divisor) {
  using W = wide<T>;
  const uint64_t windows = uint64_t(depth.count) * height.count * width.count;
  for (uint64_t i = first_element(); i < count; i += all_threads()) {
    const Place at(uint32_t(i), depth.size, height.size, width.size);
    const Around ds(depth, at.d), hs(height, at.h), ws(width, at.w);
    W sum = 0;
    for (uint32_t d = ds.first; d <= ds.last; ++d)
      for (uint32_t h = hs.first; h <= hs.last; ++h)
        for (uint32_t w = ws.first; w <= ws.last; ++w)
          if (is_inside(depth, d, at.d) && is_inside(height, h, at.h) && is_inside(width, w, at.w))
            sum += widen(grad[at.plane * windows + (d * height.count + h) * width.count + w]) /
                   divisor.of<W>(depth, height, width, d, h, w);
    out[i] = narrow<T>(sum);
  }
}

} // namespace

#define POOL(T, suffix)                                                                                    \
  extern "C" __global__ void pool_largest_##suffix(uint32_t count, int64_t *out, const T *a, Windows depth, \
                                                   Windows height, Windows width) {                        \
    largest(count, out, a, depth, height, width);                                                          \
  }                                                                                                        \
  extern "C" __global__ void pool_taken_##suffix(uint64_t count, T *out, const T *a,                       \
                                                 const int64_t *positions, uint64_t plane, uint64_t each) { \
    taken(count, out, a, positions, plane, each);                                                          \
  }                                                                                                        \
  extern "C" __global__ void pool_put_##suffix(uint64_t count, wide<T> *out, const T *a,                   \
                                               const int64_t *positions, uint64_t plane, uint64_t each) {  \
    put(count, out, a, positions, plane, each);                                                            \
  }                                                                                                        \
  extern "C" __global__ void pool_largest_backward_##suffix(uint32_t count, T *out, const T *grad,         \
                                                            const int64_t *positions, Windows depth,       \
                                                            Windows height, Windows width) {               \
    largest_backward(count, out, grad, positions, depth, height, width);                                   \
  }                                                                                                        \
  extern "C" __global__ void pool_means_##suffix(uint32_t count, T *out, const T *a, Windows depth,        \
                                                 Windows height, Windows width, uint32_t kind,             \
                                                 double number) {                                          \
    means(count, out, a, depth, height, width, Divisor{kind, number});                                     \
  }                                                                                                        \
  extern "C" __global__ void pool_spread_##suffix(uint32_t count, T *out, const T *grad, Windows depth,    \
                                                  Windows height, Windows width, uint32_t kind,            \
                                                  double number) {                                         \
    spread(count, out, grad, depth, height, width, Divisor{kind, number});                                 \
  }
KERNELS_FOR_FLOATS(POOL)
