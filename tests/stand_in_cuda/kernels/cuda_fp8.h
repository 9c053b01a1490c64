// Eight bits: no infinity, 448 is the largest and what overflows becomes.
#pragma once
#include "cuda_fp16.h"
enum __nv_fp8_interpretation_t { __NV_E4M3 };
struct __nv_fp8_e4m3 {
  std::uint8_t __x;
  __nv_fp8_e4m3() = default;
  explicit __nv_fp8_e4m3(float x) {
    if (std::isnan(x)) {
      __x = 0x7f;
      return;
    }
    const float size = fminf(fabsf(x), 448.0f);
    __x = nearest(size) | (std::signbit(x) ? 0x80 : 0);
  }
  static float value(std::uint8_t bits) {
    const int power = bits >> 3 & 15, rest = bits & 7;
    if ((bits & 0x7f) == 0x7f) return NAN;
    const float size = power ? std::ldexp(float(rest + 8), power - 10) : std::ldexp(float(rest), -9);
    return bits & 0x80 ? -size : size;
  }
  static std::uint8_t nearest(float size) {
    std::uint8_t low = 0;
    while (low < 0x7e && value(low + 1) <= size) ++low;
    if (low == 0x7e) return low;
    const float down = size - value(low), up = value(low + 1) - size;
    return down < up || (down == up && low % 2 == 0) ? low : low + 1;
  }
};
inline __half __nv_cvt_fp8_to_halfraw(std::uint8_t bits, __nv_fp8_interpretation_t) {
  return __nv_fp8_e4m3::value(bits);
}
