// Random numbers of distributions, and dropout. A thread has numbers of its own; the launch has as many blocks as PyTorch's.
#include "philox.cuh"

using namespace warpup;

namespace {

// How many elements a group of numbers makes, by what is computed in.
template <typename W> constexpr unsigned each = sizeof(W) == 8 ? 2 : 4;
template <typename W> struct Numbers {
  W of[each<W>];
};

__device__ __forceinline__ uint64_t bits(uint32_t low, uint32_t high) { return low ^ (uint64_t(high) << 21); }
__device__ __forceinline__ double wide_uniform(uint64_t bits) { return bits * 0x1p-53 + 0x1p-54; }

__device__ __forceinline__ void make_uniform(const Group &from, Numbers<float> &made) {
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) made.of[i] = uniform(from.of[i]);
}
__device__ __forceinline__ void make_uniform(const Group &from, Numbers<double> &made) {
#pragma unroll
  for (unsigned i = 0; i < 2; ++i) made.of[i] = wide_uniform(bits(from.of[2 * i], from.of[2 * i + 1]));
}

// Box and Muller. The sine and cosine are the card's own fast ones, as in cuRAND.
__device__ __forceinline__ void make_normal(const Group &from, Numbers<float> &made) {
  constexpr float turn = 0x1p-32f * 6.2831855f;
#pragma unroll
  for (unsigned i = 0; i < 4; i += 2) {
    const float radius = sqrtf(-2.0f * logf(uniform(from.of[i])));
    float sine, cosine;
    __sincosf(fmaf(float(from.of[i + 1]), turn, turn / 2), &sine, &cosine);
    made.of[i] = sine * radius;
    made.of[i + 1] = cosine * radius;
  }
}
__device__ __forceinline__ void make_normal(const Group &from, Numbers<double> &made) {
  const double radius = sqrt(-2.0 * log(wide_uniform(bits(from.of[0], from.of[1]))));
  double sine, cosine;
  sincospi(bits(from.of[2], from.of[3]) * 0x1p-52 + 0x1p-53, &sine, &cosine);
  made.of[0] = sine * radius;
  made.of[1] = cosine * radius;
}

// Fast functions for float, as PyTorch takes them here.
__device__ __forceinline__ float fast_log(float x) { return __logf(x); }
__device__ __forceinline__ double fast_log(double x) { return log(x); }
__device__ __forceinline__ float fast_exp(float x) { return __expf(x); }
__device__ __forceinline__ double fast_exp(double x) { return exp(x); }

template <typename W> constexpr W epsilon = sizeof(W) == 8 ? W(0x1p-52) : W(0x1p-23);

template <typename W> __device__ __forceinline__ W exponential(W x, W rate) {
  const W log = x >= W(1) - epsilon<W> / 2 ? -epsilon<W> / 2 : fast_log(x);
  return W(-1) / rate * log;
}
__device__ __forceinline__ float cauchy(float x, float median, float scale) {
  x = x < epsilon<float> ? epsilon<float> : x > 1 - epsilon<float> ? 1 - epsilon<float> : x;
  return median + scale * __tanf(3.14159265f * (x - 0.5f));
}
__device__ __forceinline__ double cauchy(double x, double median, double scale) {
  return median + scale * tan(3.14159265358979312 * (x - 0.5));
}

template <typename T, typename F>
__device__ __forceinline__ void of_uniform(uint64_t count, T *out, const Philox &from, F f) {
  using W = wide<T>;
  fill<each<W>>(count, out, from, [=](const Group &words, T *made) {
    Numbers<W> x;
    make_uniform(words, x);
#pragma unroll
    for (unsigned i = 0; i < each<W>; ++i) made[i] = T(f(x.of[i]));
  });
}

template <typename T, typename F>
__device__ __forceinline__ void of_normal(uint64_t count, T *out, const Philox &from, F f) {
  using W = wide<T>;
  fill<each<W>>(count, out, from, [=](const Group &words, T *made) {
    Numbers<W> x;
    make_normal(words, x);
#pragma unroll
    for (unsigned i = 0; i < each<W>; ++i) made[i] = T(f(x.of[i]));
  });
}

// 1 is among the numbers of a thread, and 0 is not; the end of a range is left out.
template <typename T> __device__ void uniform_between(uint64_t count, T *out, const Philox &from, double p, double q) {
  using W = wide<T>;
  const W low = widen(T(W(p))), high = widen(T(W(q))), width = widen(T(high - low));
  of_uniform(count, out, from, [=](W x) {
    const W value = widen(T(fma(x, width, low)));
    return value == high ? low : value;
  });
}

template <typename T> __device__ __forceinline__ T of_whole(int64_t x) { return T(wide<T>(x)); }
template <> __device__ __forceinline__ int64_t of_whole(int64_t x) { return x; }
template <> __device__ __forceinline__ uint8_t of_whole(int64_t x) { return uint8_t(x); }
template <> __device__ __forceinline__ bool of_whole(int64_t x) { return x != 0; }

template <typename T>
__device__ void integers(uint64_t count, T *out, const Philox &from, uint64_t range, int64_t low) {
  const uint32_t small = uint32_t(range);
  fill<4>(count, out, from, [=](const Group &words, T *made) {
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) made[i] = of_whole<T>(low + int64_t(words.of[i] % small));
  });
}
template <typename T>
__device__ void wide_integers(uint64_t count, T *out, const Philox &from, uint64_t range, int64_t low) {
  fill<2>(count, out, from, [=](const Group &words, T *made) {
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) {
      const uint64_t word = uint64_t(words.of[2 * i]) << 32 | words.of[2 * i + 1];
      made[i] = of_whole<T>(int64_t(uint64_t(low) + word % range));
    }
  });
}

// The same product as in backward, with the mask as a number.
template <typename W> __device__ __forceinline__ W masked(W x, bool kept, W scale) { return W(kept) * x * scale; }

// A thread takes `pack` neighbours at a time; with 1, elements as far apart as there are threads.
template <typename T>
__device__ void dropout(uint64_t count, T *out, uint8_t *mask, const T *in, const Philox &from, uint32_t pack,
                        double keep_, double scale_) {
  using W = wide<T>;
  const W keep = W(keep_), scale = W(scale_);
  const uint64_t thread = first_element(), threads = all_threads();
  const uint64_t apart = pack == 1 ? threads : 1, first = pack == 1 ? thread : thread * pack;
  const unsigned lanes = pack == 1 || pack > 4 ? 4 : pack;
  const uint64_t round = pack == 1 ? 4 * threads : pack * threads;
  uint64_t group = 0;
  for (uint64_t start = first; start < count; start += round) {
    for (unsigned done = 0; done < (pack > 4 ? pack : lanes); done += lanes) {
      const Group words = from.group(thread, group++);
#pragma unroll
      for (unsigned lane = 0; lane < 4; ++lane) {
        const uint64_t i = start + (done + lane) * apart;
        if (lane >= lanes || i >= count) continue;
        const bool kept = uniform(words.of[lane]) < keep;
        out[i] = narrow<T>(masked(widen(in[i]), kept, scale));
        mask[i] = kept;
      }
    }
  }
}

} // namespace

#define REAL(T, suffix, name, value)                                                                       \
  extern "C" __global__ void name##_##suffix(uint64_t count, T *out, uint64_t seed, uint64_t offset,       \
                                             double p, double q) {                                         \
    using W = wide<T>;                                                                                     \
    [[maybe_unused]] const W a = W(p), b = W(q);                                                           \
    value;                                                                                                 \
  }
#define OF_UNIFORM(value) of_uniform(count, out, {seed, offset}, [=](W x) { return value; })
#define OF_NORMAL(value) of_normal(count, out, {seed, offset}, [=](W x) { return value; })

// Those that whole numbers have, too.
#define COUNTS(T, suffix)                                                                                  \
  REAL(T, suffix, bernoulli, OF_UNIFORM(W(x < a)))                                                         \
  REAL(T, suffix, geometric, OF_UNIFORM(ceil(fast_log(x) / log1p(-a))))                                    \
  extern "C" __global__ void integers_##suffix(uint64_t count, T *out, uint64_t seed, uint64_t offset,     \
                                               uint64_t range, int64_t low) {                              \
    integers(count, out, {seed, offset}, range, low);                                                      \
  }                                                                                                        \
  extern "C" __global__ void wide_integers_##suffix(uint64_t count, T *out, uint64_t seed,                 \
                                                    uint64_t offset, uint64_t range, int64_t low) {        \
    wide_integers(count, out, {seed, offset}, range, low);                                                 \
  }

#define REALS(T, suffix)                                                                                   \
  REAL(T, suffix, uniform, uniform_between(count, out, {seed, offset}, p, q))                              \
  REAL(T, suffix, normal, OF_NORMAL(fma(x, b, a)))                                                         \
  REAL(T, suffix, log_normal, OF_NORMAL(fast_exp(fma(x, b, a))))                                           \
  REAL(T, suffix, exponential, OF_UNIFORM(exponential(x, a)))                                              \
  REAL(T, suffix, cauchy, OF_UNIFORM(cauchy(x, a, b)))                                                     \
  COUNTS(T, suffix)                                                                                        \
  extern "C" __global__ void dropout_##suffix(uint64_t count, T *out, uint8_t *mask, const T *in,          \
                                              uint64_t seed, uint64_t offset, uint32_t pack, double keep,  \
                                              double scale) {                                              \
    dropout(count, out, mask, in, {seed, offset}, pack, keep, scale);                                      \
  }                                                                                                        \
  extern "C" __global__ void masked_##suffix(uint64_t count, T *out, const T *in, const uint8_t *mask,     \
                                             double scale) {                                               \
    using W = wide<T>;                                                                                     \
    for (uint64_t i = first_element(); i < count; i += all_threads())                                      \
      out[i] = narrow<T>(masked(widen(in[i]), mask[i] != 0, W(scale)));                                    \
  }

KERNELS_FOR_FLOATS(REALS)
COUNTS(int64_t, i64)
COUNTS(uint8_t, u8)
COUNTS(bool, bool)
