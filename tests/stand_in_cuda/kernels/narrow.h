// Rounding to the narrow floating point formats, to nearest even, in whole numbers: no host type has them all.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace stand_in {

// Sign, `exponent` bits biased by 2^(exponent-1)-1, `mantissa` bits; overflow is infinity.
template <unsigned exponent, unsigned mantissa> inline std::uint16_t narrow(double x) {
  constexpr int bias = (1 << (exponent - 1)) - 1;
  constexpr std::uint16_t infinity = ((1u << exponent) - 1) << mantissa;
  const std::uint16_t sign = std::signbit(x) ? 1u << (exponent + mantissa) : 0;
  if (std::isnan(x)) return infinity | (1u << (mantissa - 1));
  const double size = std::fabs(x);
  if (std::isinf(size)) return sign | infinity;
  if (size == 0) return sign;
  int power = std::ilogb(size);
  if (power < 1 - bias) power = 1 - bias; // below that all numbers have the same spacing
  const double steps = std::nearbyint(std::ldexp(size, int(mantissa) - power));
  // A carry out of the mantissa goes into the exponent by itself.
  const double bits = steps + std::ldexp(double(power + bias - 1), mantissa);
  return bits >= infinity ? sign | infinity : sign | std::uint16_t(bits);
}

template <unsigned exponent, unsigned mantissa> inline float widen(std::uint16_t bits) {
  constexpr int bias = (1 << (exponent - 1)) - 1;
  const int power = bits >> mantissa & ((1 << exponent) - 1);
  const int rest = bits & ((1 << mantissa) - 1);
  float size;
  if (power == (1 << exponent) - 1)
    size = rest ? NAN : INFINITY;
  else if (power == 0)
    size = std::ldexp(float(rest), 1 - bias - int(mantissa));
  else
    size = std::ldexp(float(rest + (1 << mantissa)), power - bias - int(mantissa));
  return bits >> (exponent + mantissa) ? -size : size;
}

// The same for bfloat16, which is the upper half of a float: by bits, since this one is used most.
inline std::uint16_t narrow_bf16(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  if (std::isnan(x)) return 0x7fff;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
inline float widen_bf16(std::uint16_t half) {
  const std::uint32_t bits = std::uint32_t(half) << 16;
  float x;
  std::memcpy(&x, &bits, sizeof(x));
  return x;
}

} // namespace stand_in

// A number type over 16 bits whose arithmetic is that of float, rounded after every operation.
#define STAND_IN_NARROW_TYPE(Type, NARROW, WIDEN)                                                          \
  struct Type {                                                                                            \
    std::uint16_t __x;                                                                                     \
    Type() = default;                                                                                      \
    template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>                            \
    Type(T x) : __x(NARROW(x)) {}                                                                          \
    operator float() const { return WIDEN(__x); }                                                          \
    Type operator-() const { return from_bits(__x ^ 0x8000); }                                             \
    Type &operator+=(Type b) { return *this = *this + b; }                                                 \
    Type &operator*=(Type b) { return *this = *this * b; }                                                 \
    friend Type operator+(Type a, Type b) { return Type(float(a) + float(b)); }                            \
    friend Type operator-(Type a, Type b) { return Type(float(a) - float(b)); }                            \
    friend Type operator*(Type a, Type b) { return Type(float(a) * float(b)); }                            \
    friend Type operator/(Type a, Type b) { return Type(float(a) / float(b)); }                            \
    friend bool operator==(Type a, Type b) { return float(a) == float(b); }                                \
    friend bool operator!=(Type a, Type b) { return float(a) != float(b); }                                \
    friend bool operator<(Type a, Type b) { return float(a) < float(b); }                                  \
    friend bool operator<=(Type a, Type b) { return float(a) <= float(b); }                                \
    friend bool operator>(Type a, Type b) { return float(a) > float(b); }                                  \
    friend bool operator>=(Type a, Type b) { return float(a) >= float(b); }                                \
    static Type from_bits(std::uint16_t bits) {                                                            \
      Type x;                                                                                              \
      x.__x = bits;                                                                                        \
      return x;                                                                                            \
    }                                                                                                      \
  };                                                                                                       \
  inline bool __hisnan(Type a) { return std::isnan(float(a)); }                                            \
  inline Type __hmax_nan(Type a, Type b) { return __hisnan(a) || a > b ? a : b; }                          \
  inline Type __hmin_nan(Type a, Type b) { return __hisnan(a) || a < b ? a : b; }                          \
  inline Type __habs(Type a) { return Type::from_bits(a.__x & 0x7fff); }                                   \
  inline Type hsqrt(Type a) { return sqrtf(a); }                                                           \
  inline Type hexp(Type a) { return expf(a); }                                                             \
  inline Type hlog(Type a) { return logf(a); }                                                             \
  inline Type hsin(Type a) { return sinf(a); }                                                             \
  inline Type hcos(Type a) { return cosf(a); }
