// The gradients of attention, which compute the weights again from the scores and their sums (FlashAttention-2). One kernel
// takes tiles of keys, and another one tiles of queries, so that every sum is in one block.
#include "attention.cuh"

using namespace warpup;

namespace {

// What both kernels read of a head.
template <typename T> struct Inputs {
  Matrix<const T> q, k, v, grad;
  // Of each query: the logarithm of its sum of exponentials, and the sum of result times gradient.
  const float *lse, *delta;
};

// Weights from products of queries and keys, and the slopes of the scores from products of gradients and values. `at` gives
// the query and the key of an element.
template <typename T, unsigned mt, unsigned nt, typename At, typename OfQuery>
__device__ __forceinline__ void weigh(float (&s)[mt][nt][4], float (&d)[mt][nt][4], const Scores<T> &scores,
                                      bool is_plain, At at, OfQuery of_query) {
#pragma unroll
  for (unsigned m = 0; m < mt; ++m)
#pragma unroll
    for (unsigned n = 0; n < nt; ++n)
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        const auto [query, key] = at(m, n, i);
        const float2 of = of_query(m, n, i);
        const float x = is_plain ? s[m][n][i] * scores.scale : scores.score(s[m][n][i], query, key);
        const float weight = exp2f((x - of.x) * log2_e);
        const float kept = scores.drops() ? scores.kept(query, key) : 1.0f;
        d[m][n][i] = weight * (d[m][n][i] * kept - of.y) * scores.scale;
        s[m][n][i] = weight * kept;
      }
}

struct Place {
  uint32_t query, key;
};

// The gradients of the keys and values of a tile, or of one of these.
template <bool of_keys, bool of_values, unsigned dim, typename T>
__device__ __forceinline__ void of_key_tile(SharedLine *shared, const Scores<T> &scores, const Matrix<T> &dk,
                                            const Matrix<T> &dv, const Inputs<T> &in, uint32_t first) {
  constexpr unsigned mt = Sizes<T, dim>::back_mt, nt = Sizes<T, dim>::back_nt, far = apart<T, dim>;
  constexpr unsigned step = nt * 8;
  const unsigned rows = blockDim.x / 32 * mt * 16, own_row = warp() * mt * 16;
  T *const keys = reinterpret_cast<T *>(shared), *const values = keys + rows * far, *const tiles = values + rows * far;
  float2 *const sums = reinterpret_cast<float2 *>(tiles + 4 * step * far);
  const auto load_queries = [&](unsigned stage, uint32_t query) {
    load<dim>(tiles + stage * 2 * step * far, step, in.q, query);
    load<dim>(tiles + (stage * 2 + 1) * step * far, step, in.grad, query);
    for (unsigned i = threadIdx.x; i < step; i += blockDim.x) {
      const uint32_t at = query + i;
      sums[stage * step + i] = at < scores.queries ? make_float2(in.lse[at], in.delta[at]) : make_float2(INFINITY, 0.0f);
    }
  };
  float of_k[of_keys ? mt : 1][dim / 8][4] = {}, of_v[of_values ? mt : 1][dim / 8][4] = {};
  load<dim>(keys, rows, in.k, first);
  load<dim>(values, rows, in.v, first);
  uint32_t query = scores.is_causal ? first / step * step : 0;
  if (query < scores.queries) load_queries(0, query);
  unsigned stage = 0;
  for (; query < scores.queries; query += step) {
    wait_for_copies();
    __syncthreads();
    if (query + step < scores.queries) load_queries(stage ^ 1, query + step);
    const T *const of_queries = tiles + stage * 2 * step * far, *const of_grads = of_queries + step * far;
    const float2 *const own_sums = sums + stage * step;
    stage ^= 1;
    if (scores.is_causal && query + step - 1 < first + own_row) continue;
    float s[mt][nt][4] = {}, d[mt][nt][4] = {};
    multiply_rows<dim>(s, keys + own_row * far, of_queries);
    if (of_keys) multiply_rows<dim>(d, values + own_row * far, of_grads);
    const bool is_plain = scores.is_plain(query, step, first + own_row, mt * 16);
    weigh(
        s, d, scores, is_plain,
        [&](unsigned m, unsigned n, unsigned i) {
          return Place{query + column_of(n, i), first + own_row + row_of(m, i)};
        },
        [&](unsigned, unsigned n, unsigned i) { return own_sums[column_of(n, i)]; });
    if constexpr (of_values) multiply_columns<dim>(of_v, s, of_grads);
    if constexpr (of_keys) multiply_columns<dim>(of_k, d, of_queries);
  }
  wait_for_copies();
  float factors[mt][2];
#pragma unroll
  for (unsigned m = 0; m < mt; ++m) factors[m][0] = factors[m][1] = 1;
  if constexpr (of_keys) write<T, dim>(keys, of_k, factors, dk, first);
  if constexpr (of_values) write<T, dim>(values, of_v, factors, dv, first);
}

// The gradients of the queries of a tile.
template <unsigned dim, typename T>
__device__ __forceinline__ void of_query_tile(SharedLine *shared, const Scores<T> &scores, const Matrix<T> &dq,
                                              const Inputs<T> &in, uint32_t first) {
  constexpr unsigned mt = Sizes<T, dim>::back_mt, nt = Sizes<T, dim>::back_nt, far = apart<T, dim>;
  constexpr unsigned step = nt * 8;
  const unsigned rows = blockDim.x / 32 * mt * 16, own_row = warp() * mt * 16;
  T *const queries = reinterpret_cast<T *>(shared), *const grads = queries + rows * far, *const tiles = grads + rows * far;
  const auto load_keys = [&](unsigned stage, uint32_t key) {
    load<dim>(tiles + stage * 2 * step * far, step, in.k, key);
    load<dim>(tiles + (stage * 2 + 1) * step * far, step, in.v, key);
  };
  float of_q[mt][dim / 8][4] = {}, factors[mt][2];
  float2 sums[mt][2];
#pragma unroll
  for (unsigned m = 0; m < mt; ++m)
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      const uint32_t at = first + own_row + row_of(m, 2 * h);
      factors[m][h] = 1;
      sums[m][h] = at < scores.queries ? make_float2(in.lse[at], in.delta[at]) : make_float2(INFINITY, 0.0f);
    }
  load<dim>(queries, rows, in.q, first);
  load<dim>(grads, rows, in.grad, first);
  load_keys(0, 0);
  const uint32_t end = scores.is_causal ? min(scores.keys, first + rows) : scores.keys;
  unsigned stage = 0;
  for (uint32_t key = 0; key < end; key += step) {
    wait_for_copies();
    __syncthreads();
    if (key + step < end) load_keys(stage ^ 1, key + step);
    const T *const of_keys = tiles + stage * 2 * step * far;
    stage ^= 1;
    if (scores.is_causal && key > first + own_row + mt * 16 - 1) continue;
    float s[mt][nt][4] = {}, d[mt][nt][4] = {};
    multiply_rows<dim>(s, queries + own_row * far, of_keys);
    multiply_rows<dim>(d, grads + own_row * far, of_keys + step * far);
    const bool is_plain = scores.is_plain(first + own_row, mt * 16, key, step);
    weigh(
        s, d, scores, is_plain,
        [&](unsigned m, unsigned n, unsigned i) {
          return Place{first + own_row + row_of(m, i), key + column_of(n, i)};
        },
        [&](unsigned m, unsigned, unsigned i) { return sums[m][i / 2]; });
    multiply_columns<dim>(of_q, d, of_keys);
  }
  wait_for_copies();
  write<T, dim>(queries, of_q, factors, dq, first);
}

// Of each query the sum of result times gradient. A warp takes a query.
template <typename T>
__device__ void delta(uint32_t heads, uint32_t queries, float *out, const Matrix<const T> &made, const Walk &made_heads,
                      const Matrix<const T> &grad, const Walk &grad_heads) {
  const uint64_t count = uint64_t(heads) * queries;
  for (uint64_t i = first_element() / 32; i < count; i += all_threads() / 32) {
    const uint64_t head = i / queries, row = i % queries;
    const T *a = made.data + made_heads.position(head) + int64_t(row) * made.row;
    const T *b = grad.data + grad_heads.position(head) + int64_t(row) * grad.row;
    float sum = 0;
    for (uint32_t column = lane(); column < made.width; column += 32) sum += widen(a[column]) * widen(b[column]);
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (lane() == 0) out[i] = sum;
  }
}

} // namespace

#define INPUTS(T)                                                                                          \
  HEADS(const T, q), HEADS(const T, k), HEADS(const T, v), HEADS(const T, grad), const float *lse, const float *of_query
#define INPUTS_OF_HEAD(T)                                                                                  \
  (Inputs<T>{OF_HEAD(const T, q, queries, width), OF_HEAD(const T, k, keys, width),                        \
             OF_HEAD(const T, v, keys, value_width), OF_HEAD(const T, grad, queries, value_width),         \
             lse + uint64_t(head) * queries, of_query + uint64_t(head) * queries})
#define BACKWARD(T, suffix, dim)                                                                           \
  extern "C" __launch_bounds__(128) __global__ void                                                        \
      attention_keys_##dim##_##suffix(HEADS(T, dk), HEADS(T, dv), INPUTS(T), SCORES) {                     \
    extern __shared__ SharedLine shared[];                                                                 \
    const uint32_t head = blockIdx.x % heads;                                                              \
    const uint32_t first = blockIdx.x / heads * (blockDim.x / 32 * Sizes<T, dim>::back_mt * 16);           \
    const Scores<T> scores = SCORES_OF_HEAD(T);                                                            \
    const Matrix<T> to_k = OF_HEAD(T, dk, keys, width), to_v = OF_HEAD(T, dv, keys, value_width);          \
    const Inputs<T> in = INPUTS_OF_HEAD(T);                                                                \
    if (dim <= 128) {                                                                                      \
      of_key_tile<true, true, dim>(shared, scores, to_k, to_v, in, first);                                 \
    } else if (blockIdx.y == 0) {                                                                          \
      of_key_tile<true, false, dim>(shared, scores, to_k, to_v, in, first);                                \
    } else {                                                                                               \
      of_key_tile<false, true, dim>(shared, scores, to_k, to_v, in, first);                                \
    }                                                                                                      \
  }                                                                                                        \
  extern "C" __launch_bounds__(128) __global__ void                                                        \
      attention_queries_##dim##_##suffix(HEADS(T, dq), INPUTS(T), SCORES) {                                \
    extern __shared__ SharedLine shared[];                                                                 \
    const uint32_t head = blockIdx.x % heads, tile = gridDim.x / heads - 1 - blockIdx.x / heads;           \
    of_query_tile<dim>(shared, SCORES_OF_HEAD(T), OF_HEAD(T, dq, queries, width), INPUTS_OF_HEAD(T),       \
                       tile * (blockDim.x / 32 * Sizes<T, dim>::back_mt * 16));                            \
  }
FOR_HEADS(BACKWARD)

#define DELTA(T, suffix)                                                                                   \
  extern "C" __global__ void attention_delta_##suffix(uint32_t heads, uint32_t queries, uint32_t width,    \
                                                      float *out, HEADS(const T, made),                    \
                                                      HEADS(const T, grad)) {                              \
    delta(heads, queries, out, Matrix<const T>{made, made_row, queries, width}, made_heads,                \
          Matrix<const T>{grad, grad_row, queries, width}, grad_heads);                                    \
  }
DELTA(float, f32) DELTA(__half, f16) DELTA(__nv_bfloat16, bf16)
