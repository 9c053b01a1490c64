// What reductions make of elements: a state that takes elements, is joined with others, and gives a result.
#pragma once
#include "kernels.cuh"

namespace warpup {

// What a state keeps elements as: whole numbers in 64 bits, others in float at least.
template <typename T> struct Kept {
  using type = wide<T>;
};
template <> struct Kept<int64_t> {
  using type = int64_t;
};
template <> struct Kept<uint8_t> {
  using type = int64_t;
};
template <typename T> using kept = typename Kept<T>::type;

template <typename V> __device__ __forceinline__ V size_of(V x) { return x < 0 ? -x : x; }

// Numbers that a reduction is given.
struct Numbers {
  double p, q;
};

// A state of one value, which begins as `first`.
template <typename V> struct OfValue {
  using State = V;
};

// The sum over `p`, which is 1 but for means.
template <typename T> struct SumOf : OfValue<kept<T>> {
  using V = kept<T>;
  // Sums of whole numbers have 64 bits.
  using Result = typename std::conditional<std::is_integral<T>::value, int64_t, T>::type;
  static __device__ V start() { return 0; }
  static __device__ V with(V a, V x, uint32_t, Numbers) { return a + x; }
  static __device__ V joined(V a, V b) { return a + b; }
  static __device__ Result result(V a, Numbers of) {
    if constexpr (std::is_integral<T>::value) return a;
    else return narrow<T>(of.p == 1 ? a : a / V(of.p));
  }
};

template <typename T> struct ProductOf : SumOf<T> {
  using V = kept<T>;
  static __device__ V start() { return 1; }
  static __device__ V with(V a, V x, uint32_t, Numbers) { return joined(a, x); }
  static __device__ V joined(V a, V b) {
    // Whole numbers wrap around.
    if constexpr (std::is_integral<T>::value) return V(uint64_t(a) * uint64_t(b));
    else return a * b;
  }
};

template <typename T> struct AbsSumOf : SumOf<T> {
  using V = kept<T>;
  static __device__ V with(V a, V x, uint32_t, Numbers) { return a + size_of(x); }
};

// The root of the sum of squares.
template <typename T> struct SquareSumOf : SumOf<T> {
  using V = kept<T>;
  static __device__ V with(V a, V x, uint32_t, Numbers) { return a + x * x; }
  static __device__ T result(V a, Numbers) { return narrow<T>(sqrt(a)); }
};

// The root of order `p` of the sum of powers.
template <typename T> struct PowerSumOf : SumOf<T> {
  using V = kept<T>;
  static __device__ V with(V a, V x, uint32_t, Numbers of) { return a + pow(size_of(x), V(of.p)); }
  static __device__ T result(V a, Numbers of) { return narrow<T>(pow(a, V(1 / of.p))); }
};

template <typename T> struct LargestOf : OfValue<kept<T>> {
  using V = kept<T>;
  using Result = T;
  static __device__ V start() {
    if constexpr (std::is_integral<T>::value) return INT64_MIN;
    else return -INFINITY;
  }
  static __device__ V with(V a, V x, uint32_t, Numbers) { return joined(a, x); }
  // NaN wins, as in PyTorch.
  static __device__ V joined(V a, V b) { return a > b || a != a ? a : b; }
  static __device__ T result(V a, Numbers) { return T(a); }
};

template <typename T> struct SmallestOf : LargestOf<T> {
  using V = kept<T>;
  static __device__ V start() {
    if constexpr (std::is_integral<T>::value) return INT64_MAX;
    else return INFINITY;
  }
  static __device__ V with(V a, V x, uint32_t, Numbers) { return joined(a, x); }
  static __device__ V joined(V a, V b) { return a < b || a != a ? a : b; }
};

template <typename T> struct LargestAbsOf : LargestOf<T> {
  using V = kept<T>;
  static __device__ V start() { return 0; }
  static __device__ V with(V a, V x, uint32_t, Numbers) { return LargestOf<T>::joined(a, size_of(x)); }
};

template <typename T> struct AnyOf : OfValue<uint32_t> {
  using Result = uint8_t;
  static __device__ uint32_t start() { return 0; }
  static __device__ uint32_t with(uint32_t a, kept<T> x, uint32_t, Numbers) { return a | uint32_t(x != 0); }
  static __device__ uint32_t joined(uint32_t a, uint32_t b) { return a | b; }
  static __device__ uint8_t result(uint32_t a, Numbers) { return uint8_t(a); }
};

template <typename T> struct AllOf : AnyOf<T> {
  static __device__ uint32_t start() { return 1; }
  static __device__ uint32_t with(uint32_t a, kept<T> x, uint32_t, Numbers) { return a & uint32_t(x != 0); }
  static __device__ uint32_t joined(uint32_t a, uint32_t b) { return a & b; }
};

template <typename T> struct CountOf : OfValue<int64_t> {
  using Result = int64_t;
  static __device__ int64_t start() { return 0; }
  static __device__ int64_t with(int64_t a, kept<T> x, uint32_t, Numbers) { return a + (x != 0); }
  static __device__ int64_t joined(int64_t a, int64_t b) { return a + b; }
  static __device__ int64_t result(int64_t a, Numbers) { return a; }
};

// Sums of elements less a shift, which is the first element or a mean, so that no large squares are subtracted from each other.
template <typename V> struct Spread {
  V count, shift, sum, squares;
};
template <typename V> __device__ __forceinline__ Spread<V> of_other_lane(const Spread<V> &it, int lanes) {
  return {of_other_lane(it.count, lanes), of_other_lane(it.shift, lanes), of_other_lane(it.sum, lanes),
          of_other_lane(it.squares, lanes)};
}

// Sums of squares less the correction `p`; its root if `q` is 1.
template <typename T> struct VarianceOf {
  using V = kept<T>;
  using State = Spread<V>;
  using Result = T;
  static __device__ State start() { return {0, 0, 0, 0}; }
  static __device__ State with(State a, V x, uint32_t, Numbers) {
    if (a.count == 0) a.shift = x;
    const V away = x - a.shift;
    return {a.count + 1, a.shift, a.sum + away, a.squares + away * away};
  }
  static __device__ State joined(const State &a, const State &b) {
    if (b.count == 0) return a;
    if (a.count == 0) return b;
    const State left = centred(a), right = centred(b);
    const V count = a.count + b.count, away = right.shift - left.shift, share = b.count / count;
    return {count, left.shift + away * share, 0, left.squares + right.squares + away * away * a.count * share};
  }
  static __device__ State centred(const State &it) {
    const V away = it.sum / it.count;
    return {it.count, it.shift + away, 0, it.squares - it.sum * away};
  }
  static __device__ T result(const State &a, Numbers of) {
    const V left = a.count - V(of.p), variance = centred(a).squares / (left > 0 ? left : V(0));
    return narrow<T>(of.q == 1 ? sqrt(variance) : variance);
  }
};

// The largest element, and the sum of what each is above it, as powers of e.
template <typename V> struct LogSum {
  V largest, sum;
};
template <typename V> __device__ __forceinline__ LogSum<V> of_other_lane(const LogSum<V> &it, int lanes) {
  return {of_other_lane(it.largest, lanes), of_other_lane(it.sum, lanes)};
}

template <typename T> struct LogSumExpOf {
  using V = kept<T>;
  using State = LogSum<V>;
  using Result = T;
  static __device__ State start() { return {-INFINITY, 0}; }
  static __device__ State with(State a, V x, uint32_t, Numbers) { return joined(a, {x, 1}); }
  static __device__ State joined(const State &a, const State &b) {
    const V most = LargestOf<T>::joined(a.largest, b.largest);
    // Infinity minus infinity would be NaN.
    if (most == -INFINITY) return {most, 0};
    if (most == INFINITY) return {most, 1};
    return {most, a.sum * exp(a.largest - most) + b.sum * exp(b.largest - most)};
  }
  static __device__ T result(const State &a, Numbers) { return narrow<T>(a.largest + log(a.sum)); }
};

// An element and its place, of which there is none behind the last one.
template <typename V> struct Placed {
  V value;
  uint32_t place;
};
template <typename V> __device__ __forceinline__ Placed<V> of_other_lane(const Placed<V> &it, int lanes) {
  return {of_other_lane(it.value, lanes), of_other_lane(it.place, lanes)};
}

// Where the first of the best elements is; NaN is the best.
template <typename T, bool largest> struct PlaceOf {
  using V = kept<T>;
  using State = Placed<V>;
  using Result = int64_t;
  static __device__ State start() { return {0, UINT32_MAX}; }
  static __device__ State with(const State &a, V x, uint32_t place, Numbers) { return joined(a, {x, place}); }
  static __device__ State joined(const State &a, const State &b) { return beats(b, a) ? b : a; }
  static __device__ bool beats(const State &a, const State &b) {
    if (a.place == UINT32_MAX || b.place == UINT32_MAX) return b.place == UINT32_MAX;
    const bool a_is_nan = a.value != a.value, b_is_nan = b.value != b.value;
    if (a_is_nan || b_is_nan) return a_is_nan && (!b_is_nan || a.place < b.place);
    if (a.value == b.value) return a.place < b.place;
    return largest ? a.value > b.value : a.value < b.value;
  }
  static __device__ int64_t result(const State &a, Numbers) { return a.place; }
};
template <typename T> using PlaceOfLargest = PlaceOf<T, true>;
template <typename T> using PlaceOfSmallest = PlaceOf<T, false>;

} // namespace warpup
