// A step of an optimizer over many tensors in one launch (`fused`).
#include "kernels.cuh"

using namespace warpup;

namespace {

// As many as the arguments of a kernel have room for.
constexpr unsigned most = 48;

// The tensors of a launch; a row of blocks takes one of them. Of SGD, `first` is the momentum.
struct Tensors {
  uint64_t counts[most];
  void *parameter[most];
  const void *gradient[most];
  void *first[most], *second[most], *largest[most];
  double p[most], q[most];
};

struct AdamNumbers {
  double lr, beta1, beta2, eps, decay;
  uint32_t decoupled, maximize;
};

struct SgdNumbers {
  double lr, momentum, dampening, decay;
  uint32_t nesterov, maximize;
};

// Gives f the elements at each index, of the four that are written and the one that is read; those that are absent are 0.
template <typename T, typename F>
__device__ void update(uint64_t count, T *a, T *b, T *c, T *d, const T *grad, F f) {
  using W = wide<T>;
  constexpr unsigned size = Pack<T>::size;
  uint64_t done = 0;
  if (in_packs(a) && in_packs(b) && in_packs(c) && in_packs(d) && in_packs(grad)) {
    const auto load = [](const T *from, uint64_t i) {
      return from ? reinterpret_cast<const Pack<T> *>(from)[i] : Pack<T>{};
    };
    const auto store = [](T *to, uint64_t i, const Pack<T> &pack) {
      if (to) reinterpret_cast<Pack<T> *>(to)[i] = pack;
    };
    for (uint64_t i = first_element(); i < count / size; i += all_threads()) {
      Pack<T> x = load(a, i), y = load(b, i), z = load(c, i), u = load(d, i);
      const Pack<T> g = load(grad, i);
#pragma unroll
      for (unsigned k = 0; k < size; ++k) {
        W wide_x = widen(x.elements[k]), wide_y = widen(y.elements[k]), wide_z = widen(z.elements[k]);
        W wide_u = widen(u.elements[k]);
        f(wide_x, wide_y, wide_z, wide_u, widen(g.elements[k]));
        x.elements[k] = narrow<T>(wide_x), y.elements[k] = narrow<T>(wide_y);
        z.elements[k] = narrow<T>(wide_z), u.elements[k] = narrow<T>(wide_u);
      }
      store(a, i, x), store(b, i, y), store(c, i, z), store(d, i, u);
    }
    done = count / size * size;
  }
  for (uint64_t i = done + first_element(); i < count; i += all_threads()) {
    W x = widen(a[i]), y = b ? widen(b[i]) : W(0), z = c ? widen(c[i]) : W(0), u = d ? widen(d[i]) : W(0);
    f(x, y, z, u, widen(grad[i]));
    a[i] = narrow<T>(x);
    if (b) b[i] = narrow<T>(y);
    if (c) c[i] = narrow<T>(z);
    if (d) d[i] = narrow<T>(u);
  }
}

// `p` is the step's size, `q` the root of what corrects the mean of squares.
template <typename T> __device__ void adam(const Tensors &all, const AdamNumbers &n) {
  using W = wide<T>;
  const unsigned own = blockIdx.y;
  const W lr = W(n.lr), beta1 = W(n.beta1), beta2 = W(n.beta2), eps = W(n.eps), decay = W(n.decay);
  const W size = W(all.p[own]), spread = W(all.q[own]);
  const bool keeps_largest = all.largest[own] != nullptr;
  update(all.counts[own], static_cast<T *>(all.parameter[own]), static_cast<T *>(all.first[own]),
         static_cast<T *>(all.second[own]), static_cast<T *>(all.largest[own]), static_cast<const T *>(all.gradient[own]),
         [=](W &x, W &mean, W &square, W &largest, W grad) {
           if (n.maximize) grad = -grad;
           if (n.decoupled) x -= lr * decay * x;
           else grad += decay * x;
           mean += (W(1) - beta1) * (grad - mean);
           square = beta2 * square + (W(1) - beta2) * grad * grad;
           if (keeps_largest) largest = Larger()(largest, square);
           x -= size * mean / (sqrt(keeps_largest ? largest : square) / spread + eps);
         });
}

template <typename T> __device__ void sgd(const Tensors &all, const SgdNumbers &n) {
  using W = wide<T>;
  const unsigned own = blockIdx.y;
  const W lr = W(n.lr), momentum = W(n.momentum), gain = W(1) - W(n.dampening), decay = W(n.decay);
  const bool has_momentum = all.first[own] != nullptr;
  update(all.counts[own], static_cast<T *>(all.parameter[own]), static_cast<T *>(all.first[own]),
         static_cast<T *>(nullptr), static_cast<T *>(nullptr), static_cast<const T *>(all.gradient[own]),
         [=](W &x, W &buffer, W &, W &, W grad) {
           if (n.maximize) grad = -grad;
           grad += decay * x;
           if (has_momentum) {
             buffer = momentum * buffer + gain * grad;
             grad = n.nesterov ? grad + momentum * buffer : buffer;
           }
           x -= lr * grad;
         });
}

} // namespace

#define OPTIMIZERS(T, suffix)                                                                                \
  extern "C" __global__ void adam_##suffix(Tensors all, AdamNumbers numbers) { adam<T>(all, numbers); }      \
  extern "C" __global__ void sgd_##suffix(Tensors all, SgdNumbers numbers) { sgd<T>(all, numbers); }

KERNELS_FOR_FLOATS(OPTIMIZERS)
