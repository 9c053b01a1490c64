// Elements read at, written to, or added at positions that index tensors name, and triangles of matrices.
#include "kernels.cuh"

using namespace warpup;

namespace {

// Where the elements of a tensor lie of which some dimensions are indexed.
struct Positions {
  static constexpr unsigned most = 4;
  // Over the elements, with strides of 0 in the dimensions that are indexed.
  const Walk &rest;
  // Over the elements of all index tensors, which have one shape.
  const Walk &index;
  const int64_t *indices[most];
  // Of the dimensions that are indexed.
  int64_t sizes[most], strides[most];
  // Whether a negative index counts from the end.
  bool from_end;

  __device__ __forceinline__ int64_t position(uint64_t element) const {
    int64_t at = rest.position(element);
    const int64_t own = index.position(element);
#pragma unroll
    for (unsigned i = 0; i < most; ++i) {
      if (!indices[i]) break;
      int64_t value = indices[i][own];
      if (from_end && value < 0) value += sizes[i];
      assert(value >= 0 && value < sizes[i]);
      at += value * strides[i];
    }
    return at;
  }
};

template <typename T> __device__ void read_at(uint64_t count, T *out, const T *a, const Positions &positions) {
  for (uint64_t i = first_element(); i < count; i += all_threads()) out[i] = a[positions.position(i)];
}

template <typename T>
__device__ void write_at(uint64_t count, T *to, const T *values, const Walk &walk, const Positions &positions) {
  for (uint64_t i = first_element(); i < count; i += all_threads()) to[positions.position(i)] = values[walk.position(i)];
}

__device__ __forceinline__ void add(float *to, float value) { atomicAdd(to, value); }
__device__ __forceinline__ void add(double *to, double value) { atomicAdd(to, value); }
__device__ __forceinline__ void add(int64_t *to, int64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long *>(to), static_cast<unsigned long long>(value));
}

// The sums are in a wide type, since a narrow one would lose what is added late.
template <typename W, typename T>
__device__ void add_at(uint64_t count, W *to, const T *values, const Walk &walk, const Positions &positions) {
  for (uint64_t i = first_element(); i < count; i += all_threads())
    add(to + positions.position(i), W(values[walk.position(i)]));
}

// The elements on one side of a diagonal, and 0 on the other.
template <typename T>
__device__ void triangle(uint64_t count, T *out, const T *a, const Walk &walk, uint32_t rows, uint32_t columns,
                         int64_t diagonal, bool upper) {
  for (uint64_t i = first_element(); i < count; i += all_threads()) {
    const int64_t column = i % columns, row = i / columns % rows;
    const bool keeps = upper ? column >= row + diagonal : column <= row + diagonal;
    out[i] = keeps ? a[walk.position(i)] : T(0);
  }
}

} // namespace

#define POSITIONS                                                                                          \
  Walk rest, Walk index, uint32_t from_end, const int64_t *i0, int64_t size0, int64_t stride0,             \
      const int64_t *i1, int64_t size1, int64_t stride1, const int64_t *i2, int64_t size2,                 \
      int64_t stride2, const int64_t *i3, int64_t size3, int64_t stride3
#define GIVEN                                                                                              \
  (Positions{rest, index, {i0, i1, i2, i3}, {size0, size1, size2, size3},                                  \
             {stride0, stride1, stride2, stride3}, from_end != 0})

#define COPIES(T, bytes)                                                                                   \
  extern "C" __global__ void read_at_##bytes(uint64_t count, T *out, const T *a, POSITIONS) {              \
    read_at(count, out, a, GIVEN);                                                                         \
  }                                                                                                        \
  extern "C" __global__ void write_at_##bytes(uint64_t count, T *to, const T *values, Walk walk,           \
                                              POSITIONS) {                                                 \
    write_at(count, to, values, walk, GIVEN);                                                              \
  }
#define TRIANGLE(T, bytes)                                                                                 \
  extern "C" __global__ void triangle_##bytes(uint64_t count, T *out, const T *a, Walk walk,               \
                                              uint32_t rows, uint32_t columns, int64_t diagonal,           \
                                              uint32_t upper) {                                            \
    triangle(count, out, a, walk, rows, columns, diagonal, upper != 0);                                    \
  }
#define WORDS(X) X(uint8_t, 1) X(uint16_t, 2) X(uint32_t, 4) X(uint64_t, 8)
WORDS(COPIES)
WORDS(TRIANGLE)
// Whole rows of looked-up tables.
COPIES(Pack<float>, 16)

#define SUMS(T, W, suffix)                                                                                 \
  extern "C" __global__ void add_at_##suffix(uint64_t count, W *to, const T *values, Walk walk,            \
                                             POSITIONS) {                                                  \
    add_at(count, to, values, walk, GIVEN);                                                                \
  }
SUMS(float, float, f32)
SUMS(double, double, f64)
SUMS(__half, float, f16)
SUMS(__nv_bfloat16, float, bf16)
SUMS(int64_t, int64_t, i64)
