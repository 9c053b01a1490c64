// Functions of the elements of many tensors in one launch, for the steps of optimizers.
#include "functions.cuh"

using namespace warpup;

namespace {

// As many as the arguments of a kernel have room for.
constexpr unsigned most = 64;

// The tensors of a launch; a row of blocks takes one of them.
struct Tensors {
  uint64_t counts[most];
  void *out[most];
  const void *a[most], *b[most], *c[most];
  double p[most], q[most];
};

// Writes 1 if an element is infinite or NaN. The number `p` of a tensor is how many elements it has.
template <typename T> __device__ void non_finite(const Tensors &all) {
  const unsigned own = blockIdx.y;
  const T *a = static_cast<const T *>(all.a[own]);
  const uint64_t count = uint64_t(all.p[own]);
  constexpr unsigned size = Pack<T>::size;
  // What is less itself is 0, or NaN.
  wide<T> sum = 0;
  uint64_t done = 0;
  if (in_packs(a)) {
    for (uint64_t i = first_element(); i < count / size; i += all_threads()) {
      const Pack<T> packed = reinterpret_cast<const Pack<T> *>(a)[i];
#pragma unroll
      for (unsigned k = 0; k < size; ++k) sum += widen(packed.elements[k]) - widen(packed.elements[k]);
    }
    done = count / size * size;
  }
  for (uint64_t i = done + first_element(); i < count; i += all_threads()) sum += widen(a[i]) - widen(a[i]);
  if (sum != 0) *static_cast<float *>(all.out[own]) = 1;
}

} // namespace

#define MANY(T, suffix, name, PARAMETERS, value, ...)                                                      \
  extern "C" __global__ void name##_many_##suffix(Tensors all) {                                           \
    using W = wide<T>;                                                                                     \
    const unsigned own = blockIdx.y;                                                                       \
    [[maybe_unused]] const W p = W(all.p[own]), q = W(all.q[own]);                                         \
    [[maybe_unused]] const T *a = static_cast<const T *>(all.a[own]);                                      \
    [[maybe_unused]] const T *b = static_cast<const T *>(all.b[own]);                                      \
    [[maybe_unused]] const T *c = static_cast<const T *>(all.c[own]);                                      \
    map(first_element(), all_threads(), all.counts[own], static_cast<T *>(all.out[own]),                   \
        [=] PARAMETERS { return W(value); }, __VA_ARGS__);                                                 \
  }

#define ONE(T, suffix, name, value) MANY(T, suffix, name, (uint64_t, W x), value, a)
#define TWO(T, suffix, name, value) MANY(T, suffix, name, (uint64_t, W x, W y), value, a, b)
#define THREE(T, suffix, name, value) MANY(T, suffix, name, (uint64_t, W x, W y, W z), value, a, b, c)

#define ONE_F32(name, value) ONE(float, f32, name, value)
#define TWO_F32(name, value) TWO(float, f32, name, value)
#define THREE_F32(name, value) THREE(float, f32, name, value)
#define ONE_F64(name, value) ONE(double, f64, name, value)
#define TWO_F64(name, value) TWO(double, f64, name, value)
#define THREE_F64(name, value) THREE(double, f64, name, value)
#define ONE_F16(name, value) ONE(__half, f16, name, value)
#define TWO_F16(name, value) TWO(__half, f16, name, value)
#define THREE_F16(name, value) THREE(__half, f16, name, value)
#define ONE_BF16(name, value) ONE(__nv_bfloat16, bf16, name, value)
#define TWO_BF16(name, value) TWO(__nv_bfloat16, bf16, name, value)
#define THREE_BF16(name, value) THREE(__nv_bfloat16, bf16, name, value)

STEPS_OF_ONE(ONE_F32)
STEPS_OF_TWO(TWO_F32)
FUNCTIONS_OF_THREE(THREE_F32)
STEPS_OF_ONE(ONE_F64)
STEPS_OF_TWO(TWO_F64)
FUNCTIONS_OF_THREE(THREE_F64)
STEPS_OF_ONE(ONE_F16)
STEPS_OF_TWO(TWO_F16)
FUNCTIONS_OF_THREE(THREE_F16)
STEPS_OF_ONE(ONE_BF16)
STEPS_OF_TWO(TWO_BF16)
FUNCTIONS_OF_THREE(THREE_BF16)

#define NON_FINITE(T, suffix) \
  extern "C" __global__ void non_finite_many_##suffix(Tensors all) { non_finite<T>(all); }
KERNELS_FOR_FLOATS(NON_FINITE)
