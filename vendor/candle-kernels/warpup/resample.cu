// Interpolation of planes to other sizes, and its backward.
#include "kernels.cuh"

using namespace warpup;

namespace {

// One dimension. `mode` is 0: the element before a place, 1: the one around it, 2: between the middles of two elements,
// 3: the same from the first element's to the last one's.
struct Axis {
  uint32_t from, to, mode, unused[5];
};

// The two elements around a place of the result, and the share of the second.
template <typename W> struct Around {
  uint32_t places[2];
  W shares[2];
  uint32_t count;

  __device__ Around(const Axis &axis, double step, uint32_t at) {
    double place = at * step;
    if (axis.mode == 1) place = (at + 0.5) * step;
    if (axis.mode == 2) place = (at + 0.5) * step - 0.5 < 0 ? 0 : (at + 0.5) * step - 0.5;
    const uint32_t low = uint32_t(place) < axis.from - 1 ? uint32_t(place) : axis.from - 1;
    const double share = axis.mode < 2 ? 0 : place - low < 1 ? place - low : 1;
    places[0] = low;
    places[1] = low + 1 < axis.from ? low + 1 : low;
    shares[0] = W(1 - share);
    shares[1] = W(share);
    count = axis.mode < 2 ? 1 : 2;
  }
};

// Calls f(element of the input, share) for each element that one of the result is made of.
template <typename W, typename F>
__device__ __forceinline__ void each_share(uint32_t element, const Axis &depth, const Axis &height, const Axis &width,
                                           double step_d, double step_h, double step_w, F f) {
  const uint32_t w = element % width.to, above_w = element / width.to;
  const uint32_t h = above_w % height.to, above_h = above_w / height.to;
  const uint32_t d = above_h % depth.to, plane = above_h / depth.to;
  const Around<W> ds(depth, step_d, d), hs(height, step_h, h), ws(width, step_w, w);
  for (uint32_t i = 0; i < ds.count; ++i)
    for (uint32_t j = 0; j < hs.count; ++j)
      for (uint32_t k = 0; k < ws.count; ++k)
        f(((uint64_t(plane) * depth.from + ds.places[i]) * height.from + hs.places[j]) * width.from + ws.places[k],
          ds.shares[i] * hs.shares[j] * ws.shares[k]);
}

} // namespace

#define RESAMPLE(T, suffix)                                                                                \
  extern "C" __global__ void resample_##suffix(uint32_t count, T *out, const T *a, Axis depth, Axis height, \
                                               Axis width, double step_d, double step_h, double step_w) {  \
    using W = wide<T>;                                                                                     \
    for (uint64_t i = first_element(); i < count; i += all_threads()) {                                    \
      W sum = 0;                                                                                           \
      each_share<W>(uint32_t(i), depth, height, width, step_d, step_h, step_w,                             \
                    [&](uint64_t at, W share) { sum += widen(a[at]) * share; });                           \
      out[i] = narrow<T>(sum);                                                                             \
    }                                                                                                      \
  }                                                                                                        \
  extern "C" __global__ void resample_backward_##suffix(uint32_t count, wide<T> *out, const T *grad,       \
                                                        Axis depth, Axis height, Axis width,               \
                                                        double step_d, double step_h, double step_w) {     \
    using W = wide<T>;                                                                                     \
    for (uint64_t i = first_element(); i < count; i += all_threads()) {                                    \
      const W own = widen(grad[i]);                                                                        \
      each_share<W>(uint32_t(i), depth, height, width, step_d, step_h, step_w,                             \
                    [&](uint64_t at, W share) { atomicAdd(out + at, own * share); });                      \
    }                                                                                                      \
  }
KERNELS_FOR_FLOATS(RESAMPLE)
