// Tensors from nothing but numbers: one number everywhere, evenly spaced ones, a diagonal of ones.
#include "kernels.cuh"

using namespace warpup;

namespace {

template <typename T> __device__ __forceinline__ T of_number(double x) { return T(wide<T>(x)); }
template <> __device__ __forceinline__ int64_t of_number(double x) { return int64_t(x); }
template <> __device__ __forceinline__ uint8_t of_number(double x) { return uint8_t(int64_t(x)); }

template <typename T, typename F> __device__ __forceinline__ void write(uint64_t count, T *out, F f) {
  for (uint64_t i = first_element(); i < count; i += all_threads()) out[i] = f(i);
}

} // namespace

#define CREATION(T, suffix)                                                                                \
  extern "C" __global__ void full_##suffix(uint64_t count, T *out, double number) {                        \
    const T made = of_number<T>(number);                                                                   \
    write(count, out, [=](uint64_t) { return made; });                                                     \
  }                                                                                                        \
  extern "C" __global__ void evenly_##suffix(uint64_t count, T *out, double start, double gap) {           \
    write(count, out, [=](uint64_t i) { return of_number<T>(start + double(i) * gap); });                  \
  }                                                                                                        \
  extern "C" __global__ void eye_##suffix(uint64_t count, T *out, uint64_t columns) {                      \
    write(count, out, [=](uint64_t i) { return of_number<T>(i / columns == i % columns); });               \
  }
KERNELS_FOR_FLOATS(CREATION)
CREATION(int64_t, i64)
CREATION(uint8_t, u8)
