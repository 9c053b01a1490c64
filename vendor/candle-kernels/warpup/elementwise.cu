// Functions of one, two or three tensors, element by element, computed in float at least.
#include "functions.cuh"

using namespace warpup;

#define OF_ONE(T, suffix, name, value)                                                                     \
  extern "C" __global__ void name##_##suffix(uint64_t count, T *out, const T *a, double p_, double q_) {     \
    using W = wide<T>;                                                                                     \
    [[maybe_unused]] const W p = W(p_), q = W(q_);                                                               \
    map(first_element(), all_threads(), count, out, [=](uint64_t, W x) { return W(value); }, a);           \
  }
#define OF_TWO(T, suffix, name, value)                                                                     \
  extern "C" __global__ void name##_##suffix(uint64_t count, T *out, const T *a, const T *b, double p_) {   \
    using W = wide<T>;                                                                                     \
    [[maybe_unused]] const W p = W(p_);                                                                       \
    map(first_element(), all_threads(), count, out, [=](uint64_t, W x, W y) { return W(value); }, a, b);   \
  }                                                                                                        \
  extern "C" __global__ void name##_broadcast_##suffix(uint64_t count, T *out, const T *a, Walk walk_a,    \
                                                       const T *b, Walk walk_b, double p_) {                \
    using W = wide<T>;                                                                                     \
    [[maybe_unused]] const W p = W(p_);                                                                       \
    for (uint64_t i = first_element(); i < count; i += all_threads()) {                                    \
      const W x = widen(a[walk_a.position(i)]), y = widen(b[walk_b.position(i)]);                          \
      out[i] = narrow<T>(W(value));                                                                        \
    }                                                                                                      \
  }
#define OF_THREE(T, suffix, name, value)                                                                   \
  extern "C" __global__ void name##_##suffix(uint64_t count, T *out, const T *a, const T *b, const T *c,   \
                                             double p_) {                                                   \
    using W = wide<T>;                                                                                     \
    [[maybe_unused]] const W p = W(p_);                                                                       \
    map(first_element(), all_threads(), count, out, [=](uint64_t, W x, W y, W z) { return W(value); }, a,  \
        b, c);                                                                                             \
  }

#define ONE_F32(name, value) OF_ONE(float, f32, name, value)
#define ONE_F64(name, value) OF_ONE(double, f64, name, value)
#define ONE_F16(name, value) OF_ONE(__half, f16, name, value)
#define ONE_BF16(name, value) OF_ONE(__nv_bfloat16, bf16, name, value)
#define TWO_F32(name, value) OF_TWO(float, f32, name, value)
#define TWO_F64(name, value) OF_TWO(double, f64, name, value)
#define TWO_F16(name, value) OF_TWO(__half, f16, name, value)
#define TWO_BF16(name, value) OF_TWO(__nv_bfloat16, bf16, name, value)
#define THREE_F32(name, value) OF_THREE(float, f32, name, value)
#define THREE_F64(name, value) OF_THREE(double, f64, name, value)
#define THREE_F16(name, value) OF_THREE(__half, f16, name, value)
#define THREE_BF16(name, value) OF_THREE(__nv_bfloat16, bf16, name, value)

FUNCTIONS_OF_ONE(ONE_F32)
FUNCTIONS_OF_ONE(ONE_F64)
FUNCTIONS_OF_ONE(ONE_F16)
FUNCTIONS_OF_ONE(ONE_BF16)
FUNCTIONS_OF_TWO(TWO_F32)
FUNCTIONS_OF_TWO(TWO_F64)
FUNCTIONS_OF_TWO(TWO_F16)
FUNCTIONS_OF_TWO(TWO_BF16)
FUNCTIONS_OF_THREE(THREE_F32)
FUNCTIONS_OF_THREE(THREE_F64)
FUNCTIONS_OF_THREE(THREE_F16)
FUNCTIONS_OF_THREE(THREE_BF16)
