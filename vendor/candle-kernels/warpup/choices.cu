// Comparisons of elements, and elements that a condition chooses; inputs are walked over, so that they broadcast.
#include "kernels.cuh"

using namespace warpup;

namespace {

__device__ __forceinline__ float as_compared(float x) { return x; }
__device__ __forceinline__ double as_compared(double x) { return x; }
__device__ __forceinline__ float as_compared(__half x) { return widen(x); }
__device__ __forceinline__ float as_compared(__nv_bfloat16 x) { return widen(x); }
__device__ __forceinline__ int64_t as_compared(int64_t x) { return x; }
__device__ __forceinline__ int64_t as_compared(uint8_t x) { return x; }

} // namespace

#define COMPARISON(T, suffix, name, operator)                                                              \
  extern "C" __global__ void name##_##suffix(uint64_t count, uint8_t *out, const T *a, Walk walk_a,        \
                                             const T *b, Walk walk_b) {                                    \
    for (uint64_t i = first_element(); i < count; i += all_threads())                                      \
      out[i] = as_compared(a[walk_a.position(i)]) operator as_compared(b[walk_b.position(i)]);             \
  }
// A number is rounded to the type of floats.
#define WITH_FLOAT(T, suffix, name, operator)                                                              \
  extern "C" __global__ void name##_number_##suffix(uint64_t count, uint8_t *out, const T *a, Walk walk,   \
                                                    double number) {                                       \
    const wide<T> other = widen(narrow<T>(wide<T>(number)));                                               \
    for (uint64_t i = first_element(); i < count; i += all_threads())                                      \
      out[i] = as_compared(a[walk.position(i)]) operator other;                                            \
  }
// Integers are compared with a whole number as integers: a double has fewer digits.
#define WITH_INTEGER(T, suffix, name, operator)                                                            \
  extern "C" __global__ void name##_number_##suffix(uint64_t count, uint8_t *out, const T *a, Walk walk,   \
                                                    double number) {                                       \
    const bool is_whole = number == trunc(number) && fabs(number) < 0x1p63;                                \
    const int64_t whole = is_whole ? int64_t(number) : 0;                                                  \
    for (uint64_t i = first_element(); i < count; i += all_threads()) {                                    \
      const int64_t x = as_compared(a[walk.position(i)]);                                                  \
      out[i] = is_whole ? x operator whole : double(x) operator number;                                    \
    }                                                                                                      \
  }
#define ALL(X, T, suffix)                                                                                  \
  X(T, suffix, eq, ==) X(T, suffix, ne, !=) X(T, suffix, lt, <)                                            \
  X(T, suffix, le, <=) X(T, suffix, gt, >) X(T, suffix, ge, >=)
#define FLOATS(T, suffix) ALL(COMPARISON, T, suffix) ALL(WITH_FLOAT, T, suffix)

KERNELS_FOR_FLOATS(FLOATS)
ALL(COMPARISON, int64_t, i64)
ALL(COMPARISON, uint8_t, u8)
ALL(WITH_INTEGER, int64_t, i64)
ALL(WITH_INTEGER, uint8_t, u8)

#define CHOICE(T, bytes)                                                                                   \
  extern "C" __global__ void choose_##bytes(uint64_t count, T *out, const uint8_t *condition,              \
                                            Walk walk, const T *yes, Walk walk_yes, const T *no,           \
                                            Walk walk_no) {                                                \
    for (uint64_t i = first_element(); i < count; i += all_threads())                                      \
      out[i] = condition[walk.position(i)] ? yes[walk_yes.position(i)] : no[walk_no.position(i)];          \
  }
CHOICE(uint8_t, 1)
CHOICE(uint16_t, 2)
CHOICE(uint32_t, 4)
CHOICE(uint64_t, 8)
