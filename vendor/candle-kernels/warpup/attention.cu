// Attention without stored scores (FlashAttention-2): a block takes a tile of queries, and goes over all keys that they see.
#include "attention.cuh"

using namespace warpup;

namespace {

// The two tiles, of keys and of values, that come while the ones before them are read.
template <unsigned dim, typename T>
__device__ __forceinline__ void load_both(T *tiles, unsigned rows, const Matrix<const T> &a, const Matrix<const T> &b,
                                          uint32_t first) {
  load<dim>(tiles, rows, a, first);
  load<dim>(tiles + rows * apart<T, dim>, rows, b, first);
}

// The largest score of a row so far, and the sum of the weights relative to it.
struct Row {
  float largest = -INFINITY, sum = 0;
};

// Scores become weights relative to the largest; gives what earlier results have to be multiplied by.
template <typename T, unsigned nt>
__device__ __forceinline__ float weigh(float (&s)[nt][4], unsigned h, Row &row, const Scores<T> &scores, uint32_t query,
                                       uint32_t key) {
  float top = row.largest;
#pragma unroll
  for (unsigned n = 0; n < nt; ++n) top = fmaxf(top, fmaxf(s[n][2 * h], s[n][2 * h + 1]));
  top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 1));
  top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 2));
  // Where no key is seen yet, all weights are 0.
  const float base = top == -INFINITY ? 0.0f : top;
  const float shrink = exp2f((row.largest - base) * log2_e);
  row.largest = top;
  row.sum *= shrink;
#pragma unroll
  for (unsigned n = 0; n < nt; ++n)
#pragma unroll
    for (unsigned i = 2 * h; i < 2 * h + 2; ++i) {
      const float weight = exp2f((s[n][i] - base) * log2_e);
      row.sum += weight;
      s[n][i] = scores.drops() ? weight * scores.kept(query, key + column_of(n, i)) : weight;
    }
  return shrink;
}

// Without `out` only the logarithms of the sums of exponentials are computed.
template <typename T, unsigned dim>
__device__ __forceinline__ void attend(SharedLine *shared, const Scores<T> &scores, const Matrix<T> &out, float *lse,
                                       const Matrix<const T> &q, const Matrix<const T> &k, const Matrix<const T> &v,
                                       uint32_t first) {
  constexpr unsigned mt = Sizes<T, dim>::mt, nt = Sizes<T, dim>::nt, far = apart<T, dim>;
  const unsigned rows = blockDim.x / 32 * mt * 16;
  T *const own = reinterpret_cast<T *>(shared), *const tiles = own + rows * far;
  const uint32_t own_first = first + warp() * mt * 16;
  const uint32_t end = scores.is_causal ? min(scores.keys, first + rows) : scores.keys;
  float o[mt][dim / 8][4] = {};
  Row row[mt][2];
  load<dim>(own, rows, q, first);
  load_both<dim>(tiles, nt * 8, k, v, 0);
  unsigned stage = 0;
  for (uint32_t key = 0; key < end; key += nt * 8) {
    wait_for_copies();
    __syncthreads();
    if (key + nt * 8 < end) load_both<dim>(tiles + (stage ^ 1) * 2 * nt * 8 * far, nt * 8, k, v, key + nt * 8);
    const T *const of_keys = tiles + stage * 2 * nt * 8 * far;
    stage ^= 1;
    if (scores.is_causal && key > own_first + mt * 16 - 1) continue;
    float s[mt][nt][4] = {};
    multiply_rows<dim>(s, own + warp() * mt * 16 * far, of_keys);
    const bool is_plain = scores.is_plain(own_first, mt * 16, key, nt * 8);
#pragma unroll
    for (unsigned m = 0; m < mt; ++m) {
#pragma unroll
      for (unsigned n = 0; n < nt; ++n)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
          s[m][n][i] = is_plain ? s[m][n][i] * scores.scale
                                : scores.score(s[m][n][i], own_first + row_of(m, i), key + column_of(n, i));
#pragma unroll
      for (unsigned h = 0; h < 2; ++h) {
        const float shrink = weigh(s[m], h, row[m][h], scores, own_first + row_of(m, 2 * h), key);
#pragma unroll
        for (unsigned n = 0; n < dim / 8; ++n) {
          o[m][n][2 * h] *= shrink;
          o[m][n][2 * h + 1] *= shrink;
        }
      }
    }
    if (out.data) multiply_columns<dim>(o, s, of_keys + nt * 8 * far);
  }
  wait_for_copies();
  float factors[mt][2];
#pragma unroll
  for (unsigned m = 0; m < mt; ++m)
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      float sum = row[m][h].sum;
      sum += __shfl_xor_sync(0xffffffffu, sum, 1);
      sum += __shfl_xor_sync(0xffffffffu, sum, 2);
      // A query that sees no key takes 0; with an infinite logarithm its weights are 0 in backward, too.
      factors[m][h] = sum == 0 ? 0.0f : 1 / sum;
      const uint32_t at = own_first + row_of(m, 2 * h);
      if (at < scores.queries && lane() % 4 == 0) lse[at] = sum == 0 ? INFINITY : row[m][h].largest + logf(sum);
    }
  if (out.data) write<T, dim>(own, o, factors, out, first);
}

} // namespace

// The last queries see most if they see no later keys, so they come first.
#define ATTENTION(T, suffix, dim)                                                                          \
  extern "C" __launch_bounds__(128) __global__ void                                                        \
      attention_##dim##_##suffix(HEADS(T, out), float *lse, HEADS(const T, q), HEADS(const T, k),          \
                                 HEADS(const T, v), SCORES) {                                              \
    extern __shared__ SharedLine shared[];                                                                 \
    const uint32_t head = blockIdx.x % heads, tile = gridDim.x / heads - 1 - blockIdx.x / heads;           \
    attend<T, dim>(shared, SCORES_OF_HEAD(T), OF_HEAD(T, out, queries, value_width),                       \
                   lse + uint64_t(head) * queries, OF_HEAD(const T, q, queries, width),                    \
                   OF_HEAD(const T, k, keys, width), OF_HEAD(const T, v, keys, value_width),               \
                   tile * (blockDim.x / 32 * Sizes<T, dim>::mt * 16));                                     \
  }
FOR_HEADS(ATTENTION)
