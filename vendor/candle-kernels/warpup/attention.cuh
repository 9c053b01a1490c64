// Attention by tiles: products of tiles in shared memory, whose results stay in registers, and which keys a query sees.
//
// A warp computes `mt` times 16 rows of a tile and all of its `nt` times 8 columns. Of each 16 × 8 a thread has c[4]: rows
// lane / 4 and 8 further down, columns 2 * (lane % 4) and the next one, as tensor cores leave them.
#pragma once
#include "tensor_cores.cuh"

namespace warpup {

// A tile's rows lie apart so that the threads of a warp read different banks.
template <typename T, unsigned dim> constexpr unsigned apart = dim + 16 / sizeof(T);

__device__ __forceinline__ unsigned lane() { return threadIdx.x % 32; }
__device__ __forceinline__ unsigned warp() { return threadIdx.x / 32; }
// Of element i of c in the tile of 16 × 8 number m or n.
__device__ __forceinline__ unsigned row_of(unsigned m, unsigned i) { return m * 16 + lane() / 4 + i / 2 * 8; }
__device__ __forceinline__ unsigned column_of(unsigned n, unsigned i) { return n * 8 + lane() % 4 * 2 + i % 2; }

// Memory of a block, as much as its launch says.
using SharedLine = Pack<float>;

// Matrices, one for each head, with rows that are `row` elements apart.
template <typename T> struct Matrix {
  T *data;
  int64_t row;
  uint32_t rows, width;
};

// Begins to copy rows from `first` on to a tile; what lies beyond rows or columns is 0.
template <unsigned dim, typename T>
__device__ __forceinline__ void load(T *tile, unsigned tile_rows, const Matrix<const T> &from, uint32_t first) {
  constexpr unsigned size = Pack<T>::size, packs = dim / size;
  const bool in_whole_packs = in_packs(from.data) && from.row % size == 0 && from.width % size == 0;
  for (unsigned i = threadIdx.x; i < tile_rows * packs; i += blockDim.x) {
    const unsigned row = i / packs, column = i % packs * size;
    const bool is_there = first + row < from.rows && column < from.width;
    const T *at = is_there ? from.data + (first + row) * from.row + column : from.data;
    T *to = tile + row * apart<T, dim> + column;
    if (in_whole_packs) {
      copy_async(to, at, is_there);
    } else {
      for (unsigned k = 0; k < size; ++k) to[k] = is_there && column + k < from.width ? at[k] : T(0.0f);
    }
  }
}

// Writes a tile's rows from `first` on.
template <unsigned dim, typename T>
__device__ __forceinline__ void store(const T *tile, unsigned tile_rows, const Matrix<T> &to, uint32_t first) {
  constexpr unsigned size = Pack<T>::size, packs = dim / size;
  const bool in_whole_packs = in_packs(to.data) && to.row % size == 0 && to.width % size == 0;
  for (unsigned i = threadIdx.x; i < tile_rows * packs; i += blockDim.x) {
    const unsigned row = i / packs, column = i % packs * size;
    if (first + row >= to.rows) continue;
    const T *from = tile + row * apart<T, dim> + column;
    T *at = to.data + (first + row) * to.row + column;
    if (in_whole_packs) {
      if (column < to.width) *reinterpret_cast<Pack<T> *>(at) = *reinterpret_cast<const Pack<T> *>(from);
    } else {
      for (unsigned k = 0; k < size && column + k < to.width; ++k) at[k] = from[k];
    }
  }
}

// Puts what the warps have, times a factor of each row, into a tile, and writes it.
template <typename T, unsigned dim, unsigned mt>
__device__ __forceinline__ void write(T *tile, const float (&o)[mt][dim / 8][4], const float (&factors)[mt][2],
                                      const Matrix<T> &to, uint32_t first) {
  __syncthreads();
  T *own = tile + warp() * mt * 16 * apart<T, dim>;
#pragma unroll
  for (unsigned m = 0; m < mt; ++m)
#pragma unroll
    for (unsigned n = 0; n < dim / 8; ++n)
#pragma unroll
      for (unsigned i = 0; i < 4; ++i)
        own[row_of(m, i) * apart<T, dim> + column_of(n, i)] = narrow<T>(o[m][n][i] * factors[m][i / 2]);
  __syncthreads();
  store<dim>(tile, blockDim.x / 32 * mt * 16, to, first);
}

// c += a · bᵀ over `dim` columns: the warp's rows of `a`, and nt * 8 rows of `b`.
template <unsigned dim, typename T, unsigned mt, unsigned nt>
__device__ __forceinline__ void multiply_rows(float (&c)[mt][nt][4], const T *a, const T *b) {
  constexpr unsigned far = apart<T, dim>;
  const unsigned at = lane();
  if constexpr (sizeof(T) == 2) {
    static_assert(nt % 2 == 0);
#pragma unroll
    for (unsigned k = 0; k < dim; k += 16) {
      uint32_t x[mt][4], y[4];
#pragma unroll
      for (unsigned m = 0; m < mt; ++m) load_matrices(x[m], a + (m * 16 + at % 16) * far + k + at / 16 * 8);
#pragma unroll
      for (unsigned n = 0; n < nt; n += 2) {
        load_matrices(y, b + (n * 8 + at % 8 + at / 16 * 8) * far + k + at / 8 % 2 * 8);
#pragma unroll
        for (unsigned m = 0; m < mt; ++m) {
          multiply_add<T>(c[m][n], x[m], y[0], y[1]);
          multiply_add<T>(c[m][n + 1], x[m], y[2], y[3]);
        }
      }
    }
  } else {
#pragma unroll 2
    for (unsigned k = 0; k < dim; k += 4) {
      Pack<T> x[mt][2], y;
#pragma unroll
      for (unsigned m = 0; m < mt; ++m)
#pragma unroll
        for (unsigned h = 0; h < 2; ++h) x[m][h] = reinterpret_cast<const Pack<T> &>(a[row_of(m, 2 * h) * far + k]);
#pragma unroll
      for (unsigned n = 0; n < nt; ++n)
#pragma unroll
        for (unsigned h = 0; h < 2; ++h) {
          y = reinterpret_cast<const Pack<T> &>(b[column_of(n, h) * far + k]);
#pragma unroll
          for (unsigned m = 0; m < mt; ++m)
#pragma unroll
            for (unsigned i = 0; i < 2; ++i)
#pragma unroll
              for (unsigned l = 0; l < 4; ++l) c[m][n][2 * i + h] += x[m][i].elements[l] * y.elements[l];
        }
    }
  }
}

// o += p · v: p is in registers, and v has nt * 8 rows.
template <unsigned dim, typename T, unsigned mt, unsigned nt>
__device__ __forceinline__ void multiply_columns(float (&o)[mt][dim / 8][4], const float (&p)[mt][nt][4], const T *v) {
  constexpr unsigned far = apart<T, dim>;
  const unsigned at = lane();
#pragma unroll
  for (unsigned j = 0; j < nt; j += sizeof(T) == 2 ? 2 : 1) {
    if constexpr (sizeof(T) == 2) {
      uint32_t x[mt][4], y[4];
#pragma unroll
      for (unsigned m = 0; m < mt; ++m)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) x[m][i] = pair<T>(p[m][j + i / 2][i % 2 * 2], p[m][j + i / 2][i % 2 * 2 + 1]);
#pragma unroll
      for (unsigned n = 0; n < dim / 8; n += 2) {
        load_transposed(y, v + (j * 8 + at % 16) * far + n * 8 + at / 16 * 8);
#pragma unroll
        for (unsigned m = 0; m < mt; ++m) {
          multiply_add<T>(o[m][n], x[m], y[0], y[1]);
          multiply_add<T>(o[m][n + 1], x[m], y[2], y[3]);
        }
      }
    } else {
#pragma unroll 1
      for (unsigned from = 0; from < 4; ++from)
#pragma unroll
        for (unsigned i = 0; i < 2; ++i) {
          float x[mt][2];
#pragma unroll
          for (unsigned m = 0; m < mt; ++m)
#pragma unroll
            for (unsigned h = 0; h < 2; ++h) x[m][h] = __shfl_sync(0xffffffffu, p[m][j][2 * h + i], at / 4 * 4 + from);
          const T *row = v + (j * 8 + from * 2 + i) * far + at % 4 * 2;
#pragma unroll
          for (unsigned n = 0; n < dim / 8; ++n) {
            const float2 y = reinterpret_cast<const float2 &>(row[n * 8]);
#pragma unroll
            for (unsigned m = 0; m < mt; ++m)
#pragma unroll
              for (unsigned h = 0; h < 2; ++h) {
                o[m][n][2 * h] += x[m][h] * y.x;
                o[m][n][2 * h + 1] += x[m][h] * y.y;
              }
          }
        }
    }
  }
}

enum class MaskKind : uint32_t { none, open, added, added_float };

// Which keys the queries of a head see, what is added to their scores, and which weights dropout leaves.
template <typename T> struct Scores {
  const void *mask;
  int64_t mask_start, mask_row, mask_column;
  MaskKind kind;
  bool is_causal;
  uint32_t queries, keys, head;
  float scale;
  // A weight stays where its random number is not below this, times this factor.
  uint64_t dropped;
  float factor;
  uint64_t seed;

  // Whether all of these queries see all of these keys, with nothing added.
  __device__ __forceinline__ bool is_plain(uint32_t query, uint32_t of_queries, uint32_t key, uint32_t of_keys) const {
    return kind == MaskKind::none && query + of_queries <= queries && key + of_keys <= keys &&
           (!is_causal || key + of_keys - 1 <= query);
  }
  __device__ __forceinline__ float score(float product, uint32_t query, uint32_t key) const {
    if (query >= queries || key >= keys || (is_causal && key > query)) return -INFINITY;
    const float x = product * scale;
    const int64_t at = mask_start + query * mask_row + key * mask_column;
    switch (kind) {
    case MaskKind::none: return x;
    case MaskKind::open: return static_cast<const uint8_t *>(mask)[at] ? x : -INFINITY;
    case MaskKind::added: return x + widen(static_cast<const T *>(mask)[at]);
    case MaskKind::added_float: return x + static_cast<const float *>(mask)[at];
    }
    return x;
  }
  __device__ __forceinline__ bool drops() const { return dropped > 0; }
  // SplitMix64 of the weight's number, so that every kernel draws the same.
  __device__ __forceinline__ float kept(uint32_t query, uint32_t key) const {
    uint64_t x = seed + ((uint64_t(head) * queries + query) * keys + key + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    return (x >> 32) < dropped ? 0.0f : factor;
  }
};

constexpr float log2_e = 1.4426950408889634f;

// How much a warp has of a tile: `kernels/card/attention.rs` has the same numbers.
template <typename T, unsigned dim> struct Sizes {
  static constexpr bool is_half = sizeof(T) == 2;
  // Forward: queries, and the keys that they are multiplied by.
  static constexpr unsigned mt = dim <= 128 ? 2 : 1;
  static constexpr unsigned nt = is_half ? (dim <= 64 ? 8 : 4) : dim <= 64 ? 4 : 2;
  // Backward: keys or queries, and the queries or keys that these are multiplied by.
  static constexpr unsigned back_mt = !is_half && dim <= 64 ? 2 : 1;
  static constexpr unsigned back_nt = is_half ? (dim <= 64 ? 8 : dim <= 128 ? 4 : 2) : dim <= 64 ? 4 : 2;
};

} // namespace warpup

// The matrices of all heads as a kernel takes them.
#define HEADS(T, name) T *name, int64_t name##_row, Walk name##_heads
// Those of one head.
#define OF_HEAD(T, name, rows, width)                                                                      \
  (Matrix<T>{name + name##_heads.position(head), name##_row, rows, width})
#define SCORES                                                                                             \
  const void *mask, int64_t mask_row, int64_t mask_column, Walk mask_heads, uint32_t mask_kind,            \
      uint32_t causal, uint32_t heads, uint32_t queries, uint32_t keys, uint32_t width,                    \
      uint32_t value_width, double scale, double dropout, uint64_t seed
#define SCORES_OF_HEAD(T)                                                                                  \
  (Scores<T>{mask,                                                                                         \
             mask ? mask_heads.position(head) : 0,                                                         \
             mask_row,                                                                                     \
             mask_column,                                                                                  \
             MaskKind(mask_kind),                                                                          \
             causal != 0,                                                                                  \
             queries,                                                                                      \
             keys,                                                                                         \
             head,                                                                                         \
             float(scale),                                                                                 \
             uint64_t(dropout * 4294967296.0),                                                             \
             dropout < 1 ? float(1 / (1 - dropout)) : 0.0f,                                                \
             seed})
// A kernel for each type and for heads of at most so many numbers.
#define FOR_HEADS(X)                                                                                       \
  X(float, f32, 64) X(float, f32, 128) X(float, f32, 256) X(__half, f16, 64) X(__half, f16, 128)           \
  X(__half, f16, 256) X(__nv_bfloat16, bf16, 64) X(__nv_bfloat16, bf16, 128) X(__nv_bfloat16, bf16, 256)
