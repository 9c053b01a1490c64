// What the CUDA compiler gives a kernel without being asked, for g++. Comes before every source of kernels.
#pragma once
#include "tensor_cores.h"
#include "threads.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <math.h>
#include <type_traits>

#define __CUDA_ARCH__ 800
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDA_VERSION 13000

#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
// When the names of the kernels are listed, this word has to stay.
#ifndef STAND_IN_LISTS_KERNELS
#define __global__
#endif
// A block is played by one thread of the host, start to end.
#define __shared__ static thread_local

#define threadIdx (stand_in::current->thread_index)
#define blockIdx (stand_in::current->block_index)
#define blockDim (stand_in::current->block_size)
#define gridDim (stand_in::current->grid_size)

inline void __syncthreads() { stand_in::block_barrier(); }

template <typename T> T __shfl_xor_sync(unsigned, T value, int lanes, int = 32) {
  T theirs;
  stand_in::exchange(&value, &theirs, sizeof(T), (stand_in::current->linear % 32) ^ unsigned(lanes));
  return theirs;
}

template <typename T> T __shfl_sync(unsigned, T value, int lane, int = 32) {
  T theirs;
  stand_in::exchange(&value, &theirs, sizeof(T), unsigned(lane) % 32);
  return theirs;
}

template <typename T> T __shfl_up_sync(unsigned, T value, unsigned by, int = 32) {
  const unsigned lane = stand_in::current->linear % 32;
  T theirs;
  stand_in::exchange(&value, &theirs, sizeof(T), lane < by ? lane : lane - by);
  return theirs;
}

struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(8) float2 {
  float x, y;
};
inline float2 make_float2(float x, float y) { return {x, y}; }

template <typename T> inline T min(T a, T b) { return b < a ? b : a; }
template <typename T> inline T max(T a, T b) { return a < b ? b : a; }
// The host's leave open which of two zeros is larger; a card does not.
template <typename T> inline T stand_in_larger(T a, T b) {
  return std::isnan(b) || a > b || (a == b && std::signbit(b)) ? a : b;
}
template <typename T> inline T stand_in_smaller(T a, T b) {
  return std::isnan(b) || a < b || (a == b && std::signbit(a)) ? a : b;
}
#define fmaxf(a, b) stand_in_larger<float>(a, b)
#define fminf(a, b) stand_in_smaller<float>(a, b)
#define fmax(a, b) stand_in_larger<double>(a, b)
#define fmin(a, b) stand_in_smaller<double>(a, b)
// A card's fast functions leave out digits; here they have all.
inline void __sincosf(float x, float *sine, float *cosine) { *sine = sinf(x), *cosine = cosf(x); }
inline float __logf(float x) { return logf(x); }
inline float __expf(float x) { return expf(x); }
inline float __tanf(float x) { return tanf(x); }
// Quarters of a turn apart, so that the rest is exact.
inline void sincospi(double x, double *sine, double *cosine) {
  const double quarter = round(2 * x), s = sin(M_PI * (x - quarter / 2)), c = cos(M_PI * (x - quarter / 2));
  switch ((long long)quarter & 3) {
  case 0: *sine = s, *cosine = c; break;
  case 1: *sine = c, *cosine = -s; break;
  case 2: *sine = -s, *cosine = -c; break;
  default: *sine = -c, *cosine = s;
  }
}
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
inline double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }

template <typename To, typename From> inline To stand_in_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}
inline float __uint_as_float(unsigned x) { return stand_in_bits<float>(x); }
inline float __int_as_float(int x) { return stand_in_bits<float>(x); }
inline unsigned __float_as_uint(float x) { return stand_in_bits<unsigned>(x); }
inline int __float_as_int(float x) { return stand_in_bits<int>(x); }
inline double __longlong_as_double(long long x) { return stand_in_bits<double>(x); }
inline long long __double_as_longlong(double x) { return stand_in_bits<long long>(x); }

// Kernels of one stream run one after another and a block's threads take turns, so nothing comes between.
// (The address alone says of what type they are.)
template <typename T> using Same = std::common_type_t<T>;
template <typename T> inline T atomicAdd(T *at, Same<T> value) {
  T old = *at;
  *at = old + value;
  return old;
}
template <typename T> inline T atomicMin(T *at, Same<T> value) {
  T old = *at;
  *at = min(old, value);
  return old;
}
template <typename T> inline T atomicMax(T *at, Same<T> value) {
  T old = *at;
  *at = max(old, value);
  return old;
}
template <typename T> inline T atomicCAS(T *at, Same<T> expected, Same<T> value) {
  T old = *at;
  if (old == expected) *at = value;
  return old;
}

#undef assert
#define assert(what) ((what) ? void() : stand_in::assertion_failed(#what, __FILE__, __LINE__, __func__))
