// Functions of elements, which the kernels for one tensor and for many share.
#pragma once
#include "kernels.cuh"

namespace warpup {

template <typename W> __device__ __forceinline__ W sigmoid_of(W x) { return W(1) / (W(1) + exp(-x)); }
template <typename W> __device__ __forceinline__ W normal_cdf(W x) { return W(0.5) * (W(1) + erf(x * W(0.70710678118654752))); }
template <typename W> __device__ __forceinline__ W normal_density(W x) {
  return W(0.39894228040143268) * exp(W(-0.5) * x * x);
}
template <typename W> __device__ __forceinline__ W gelu_tanh_inner(W x) {
  return W(0.79788456080286536) * (x + W(0.044715) * x * x * x);
}
template <typename W> __device__ __forceinline__ W log1p_exp(W x) {
  return (x > W(0) ? x : W(0)) + log1p(exp(x > W(0) ? -x : x));
}

template <typename W> __device__ __forceinline__ W at_least(W x, W least) { return x < least ? least : x; }
template <typename W> __device__ __forceinline__ W sign(W x) { return x > W(0) ? W(1) : x < W(0) ? W(-1) : x; }

} // namespace warpup

// Functions that optimizers take of many tensors at once: name, value
#define STEPS_OF_ONE(F)                                                                                    \
  F(sqrt, sqrt(x))                                                                                         \
  F(neg, -x)                                                                                               \
  F(affine, x *p + q)                                                                                      \
  F(times, x *p)                                                                                           \
  F(over, x / p)
#define STEPS_OF_TWO(F)                                                                                    \
  F(maximum, x >= y || x != x ? x : y)                                                                     \
  F(add_alpha, x + p * y)                                                                                  \
  F(lerp, p < W(0.5) ? x + p * (y - x) : y - (y - x) * (W(1) - p))

// name, value of x; `p` and `q` are the function's numbers
#define FUNCTIONS_OF_ONE(F)                                                                                \
  STEPS_OF_ONE(F)                                                                                          \
  F(exp, exp(x))                                                                                           \
  F(tanh, tanh(x))                                                                                         \
  F(sigmoid, sigmoid_of(x))                                                                                \
  F(erf, erf(x))                                                                                           \
  F(gelu, x *normal_cdf(x))                                                                                \
  F(gelu_tanh, W(0.5) * x * (W(1) + tanh(gelu_tanh_inner(x))))                                             \
  F(silu, x *sigmoid_of(x))                                                                                \
  F(relu, x <= W(0) ? W(0) : x)                                                                            \
  F(sqr, x *x)                                                                                             \
  F(recip, W(1) / x)                                                                                       \
  F(abs, fabs(x))                                                                                          \
  F(floor, floor(x))                                                                                       \
  F(ceil, ceil(x))                                                                                         \
  F(ln, log(x))                                                                                            \
  F(log2, log2(x))                                                                                         \
  F(log10, log10(x))                                                                                       \
  F(ln_1p, log1p(x))                                                                                       \
  F(round, rint(x))                                                                                        \
  F(trunc, trunc(x))                                                                                       \
  F(frac, x - trunc(x))                                                                                    \
  F(softplus, x > W(20) ? x : log1p(exp(x)))                                                               \
  F(log_sigmoid, W(0) - log1p_exp(-x))                                                                           \
  F(under, p / x)                                                                                          \
  F(leaky_relu, x > W(0) ? x : x * p)                                                                      \
  F(elu, x > W(0) ? x * q : expm1(x) * p * q)                                                              \
  F(hardtanh, x < p ? p : x > q ? q : x)

// name, value of x and y; of the slopes, x is the gradient
#define FUNCTIONS_OF_TWO(F)                                                                                \
  STEPS_OF_TWO(F)                                                                                          \
  F(add, x + y)                                                                                            \
  F(sub, x - y)                                                                                            \
  F(mul, x *y)                                                                                             \
  F(div, x / y)                                                                                            \
  F(minimum, x <= y || x != x ? x : y)                                                                     \
  F(power, pow(x, y))                                                                                      \
  F(mse, (x - y) * (x - y))                                                                                \
  F(smooth_l1, fabs(x - y) < p ? W(0.5) * (x - y) * (x - y) / p : fabs(x - y) - W(0.5) * p)                \
  F(huber, fabs(x - y) <= p ? W(0.5) * (x - y) * (x - y) : p * (fabs(x - y) - W(0.5) * p))                 \
  F(bce, -(y * at_least(log(x), W(-100)) + (W(1) - y) * at_least(log1p(-x), W(-100))))                     \
  F(bce_with_logits, (W(1) - y) * x + log1p_exp(-x))                                                       \
  F(mse_slope, W(2) * (x - y))                                                                             \
  F(smooth_l1_slope, fabs(x - y) < p ? (x - y) / p : sign(x - y))                                          \
  F(huber_slope, x - y < -p ? -p : x - y > p ? p : x - y)                                                  \
  F(bce_slope, (x - y) / at_least((W(1) - x) * x, W(1e-12)))                                               \
  F(bce_with_logits_slope, sigmoid_of(x) - y)                                                              \
  F(relu_slope, y > W(0) ? x : W(0))                                                                       \
  F(tanh_slope, x *(W(1) - y * y))                                                                         \
  F(sigmoid_slope, x *y *(W(1) - y))                                                                       \
  F(gelu_slope, x *(normal_cdf(y) + y * normal_density(y)))                                                \
  F(gelu_tanh_slope, x *gelu_tanh_derivative(y))                                                           \
  F(silu_slope, x *sigmoid_of(y) * (W(1) + y * (W(1) - sigmoid_of(y))))

// name, value of x, y and z
#define FUNCTIONS_OF_THREE(F)                                                                              \
  F(add_c_mul, x + p * (y * z))                                                                            \
  F(add_c_div, x + p * (y / z))

namespace warpup {

template <typename W> __device__ __forceinline__ W gelu_tanh_derivative(W x) {
  const W inner = tanh(gelu_tanh_inner(x));
  const W slope = W(0.79788456080286536) * (W(1) + W(3 * 0.044715) * x * x);
  return W(0.5) * (W(1) + inner) + W(0.5) * x * (W(1) - inner * inner) * slope;
}

} // namespace warpup
