#pragma once
#include "narrow.h"
namespace stand_in {
inline std::uint16_t narrow_f16(double x) { return narrow<5, 10>(x); }
inline float widen_f16(std::uint16_t bits) { return widen<5, 10>(bits); }
} // namespace stand_in
STAND_IN_NARROW_TYPE(__half, stand_in::narrow_f16, stand_in::widen_f16)
inline float __half2float(__half x) { return x; }
inline __half __float2half(float x) { return x; }
inline unsigned short __half_as_ushort(__half x) { return x.__x; }
inline __half __ushort_as_half(unsigned short x) { return __half::from_bits(x); }
