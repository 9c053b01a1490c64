#pragma once
#include "narrow.h"
namespace stand_in {
inline std::uint16_t narrow_f16(double x) { return narrow<5, 10>(x); }
// By bits, since tensor cores read many: the exponent's bias is 112 less.
inline float widen_f16(std::uint16_t half) {
  if ((half & 0x7c00) == 0x7c00) return widen<5, 10>(half);
  const std::uint32_t bits = std::uint32_t(half & 0x7fff) << 13;
  float size;
  std::memcpy(&size, &bits, sizeof(size));
  size *= 0x1p112f;
  return half >> 15 ? -size : size;
}
} // namespace stand_in
STAND_IN_NARROW_TYPE(__half, stand_in::narrow_f16, stand_in::widen_f16)
struct __half2 {
  __half x, y;
};
inline __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
inline float __half2float(__half x) { return x; }
inline __half __float2half(float x) { return x; }
inline unsigned short __half_as_ushort(__half x) { return x.__x; }
inline __half __ushort_as_half(unsigned short x) { return __half::from_bits(x); }
