// Numbers in memory, whatever their type, for the libraries beside the driver.
#pragma once
#include "../kernels/cuda_bf16.h"
#include "../kernels/cuda_fp16.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stand_in {

enum class Type { f32, f64, f16, bf16 };

inline std::size_t width(Type type) { return type == Type::f64 ? 8 : type == Type::f32 ? 4 : 2; }

inline double load(const void *data, Type type, std::size_t i) {
  switch (type) {
  case Type::f32: return static_cast<const float *>(data)[i];
  case Type::f64: return static_cast<const double *>(data)[i];
  case Type::f16: return widen_f16(static_cast<const std::uint16_t *>(data)[i]);
  default: return widen_bf16(static_cast<const std::uint16_t *>(data)[i]);
  }
}

inline void store(void *data, Type type, std::size_t i, double value) {
  switch (type) {
  case Type::f32: static_cast<float *>(data)[i] = float(value); return;
  case Type::f64: static_cast<double *>(data)[i] = value; return;
  case Type::f16: static_cast<std::uint16_t *>(data)[i] = narrow_f16(value); return;
  default: static_cast<std::uint16_t *>(data)[i] = narrow_bf16(float(value));
  }
}

// TF32 multiplies what is left of a float with 10 bits of mantissa.
inline float tf32(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  bits = (bits + 0x1000) & ~0x1fffu;
  std::memcpy(&x, &bits, sizeof(x));
  return x;
}

} // namespace stand_in
