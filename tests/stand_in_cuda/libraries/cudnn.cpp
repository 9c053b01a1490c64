// cuDNN 9: convolutions, and layers of recurrent networks in one direction. The others have no stand-in.
#include "../driver/wishes.h"
#include "enqueue.h"
#include "numbers.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace {

enum { success = 0, not_initialized = 1001, bad_param = 2000, not_supported = 3000, execution_failed = 5000 };
enum Type { f32 = 0, f64 = 1, f16 = 2, bf16 = 9 };

struct Handle {
  void *stream = nullptr;
};

struct Tensor {
  int type = -1;
  std::vector<long long> sizes, strides;

  std::size_t count() const {
    std::size_t all = 1;
    for (long long size : sizes) all *= size;
    return all;
  }
};

struct Convolution {
  std::vector<int> padding, stride, dilation;
  int groups = 1, sums = -1, math = 0;
};

stand_in::Type type_of(int type) {
  switch (type) {
  case f32: return stand_in::Type::f32;
  case f64: return stand_in::Type::f64;
  case f16: return stand_in::Type::f16;
  default: return stand_in::Type::bf16;
  }
}

std::size_t width(int type) { return stand_in::width(type_of(type)); }
double load(const void *data, int type, std::size_t i) { return stand_in::load(data, type_of(type), i); }
void store(void *data, int type, std::size_t i, double value) { stand_in::store(data, type_of(type), i, value); }

double factor(const void *value, int type) {
  return type == f64 ? *static_cast<const double *>(value) : *static_cast<const float *>(value);
}

// What a sum and a rounding of the right type do to a number.
double rounded(double value, int type) { return type == f64 ? value : float(value); }

int start(Handle *handle, std::function<void()> work) {
  const int status = stand_in::enqueue(handle->stream, [work] { return work(), 0; });
  return status == 0 ? success : execution_failed;
}

std::vector<double> read(const void *from, int type, std::size_t count) {
  std::vector<double> all(count);
  for (std::size_t i = 0; from && i < count; ++i) all[i] = load(from, type, i);
  return all;
}

// -- convolutions ---------------------------------------------------------------------------------------------

// Goes over all pairs of an element of the input and one of the result that meet at an element of the weight.
template <typename Visit>
void meet(const Tensor &x, const Tensor &w, const Convolution &c, const Tensor &y, Visit visit) {
  const std::size_t rank = c.stride.size();
  const long long outputs = w.sizes[0] / c.groups, inner = w.sizes[1];
  std::size_t places = 1, windows = 1;
  for (std::size_t d = 0; d < rank; ++d) places *= w.sizes[d + 2], windows *= y.sizes[d + 2];
  for (long long n = 0; n < y.sizes[0]; ++n)
    for (long long o = 0; o < w.sizes[0]; ++o)
      for (long long i = 0; i < inner; ++i)
        for (std::size_t window = 0; window < windows; ++window)
          for (std::size_t place = 0; place < places; ++place) {
            const long long channel = o / outputs * inner + i;
            std::size_t at_x = n * x.strides[0] + channel * x.strides[1];
            std::size_t at_w = o * w.strides[0] + i * w.strides[1];
            std::size_t at_y = n * y.strides[0] + o * y.strides[1];
            std::size_t rest_y = window, rest_w = place;
            bool inside = true;
            for (std::size_t d = rank; d-- > 0;) {
              const long long out = rest_y % y.sizes[d + 2], k = rest_w % w.sizes[d + 2];
              rest_y /= y.sizes[d + 2], rest_w /= w.sizes[d + 2];
              const long long in = out * c.stride[d] - c.padding[d] + k * c.dilation[d];
              inside = inside && in >= 0 && in < x.sizes[d + 2];
              at_x += in * x.strides[d + 2], at_w += k * w.strides[d + 2], at_y += out * y.strides[d + 2];
            }
            if (inside) visit(at_x, at_w, at_y);
          }
}

// Whether the sizes belong together, as cuDNN checks them.
bool fits(const Tensor &x, const Tensor &w, const Convolution &c, const Tensor &y) {
  const std::size_t rank = c.stride.size() + 2;
  if (rank < 4 || rank > 5 || x.sizes.size() != rank || w.sizes.size() != rank || y.sizes.size() != rank) return false;
  if (x.type != w.type || x.type != y.type || x.sizes[0] != y.sizes[0]) return false;
  if (c.sums != (x.type == f64 ? f64 : f32)) return false;
  if (x.sizes[1] != w.sizes[1] * c.groups || y.sizes[1] != w.sizes[0] || w.sizes[0] % c.groups) return false;
  for (std::size_t d = 2; d < rank; ++d) {
    const long long covered = c.dilation[d - 2] * (w.sizes[d] - 1) + 1;
    const long long free = x.sizes[d] + 2 * c.padding[d - 2] - covered;
    // A transposed convolution may have an input that no window reaches to its end.
    if (free < 0 || free / c.stride[d - 2] + 1 != y.sizes[d]) return false;
  }
  return true;
}

enum Which { to_y, to_x, to_w };

int convolve(Handle *handle, Which which, const Tensor &x, void *x_at, const Tensor &w, void *w_at,
                const Convolution &c, const Tensor &y, void *y_at, double alpha, double beta) {
  if (!fits(x, w, c, y)) return bad_param;
  return start(handle, [=] {
    const Tensor &to = which == to_y ? y : which == to_x ? x : w;
    void *out = which == to_y ? y_at : which == to_x ? x_at : w_at;
    std::vector<double> sums(to.count());
    meet(x, w, c, y, [&](std::size_t at_x, std::size_t at_w, std::size_t at_y) {
      switch (which) {
      case to_y: sums[at_y] += load(x_at, x.type, at_x) * load(w_at, w.type, at_w); return;
      case to_x: sums[at_x] += load(y_at, y.type, at_y) * load(w_at, w.type, at_w); return;
      case to_w: sums[at_w] += load(y_at, y.type, at_y) * load(x_at, x.type, at_x); return;
      }
    });
    for (std::size_t i = 0; i < sums.size(); ++i)
      store(out, to.type, i, alpha * sums[i] + (beta == 0 ? 0 : beta * load(out, to.type, i)));
  });
}

struct Performance {
  int algorithm, status;
  float time;
  std::size_t memory;
  int determinism, math;
  int reserved[3];
};

// One that is not supported, which comes first here, and one that is.
int algorithms(int most, int *count, Performance *all) {
  const Performance bad{6, not_supported, -1, 0, 0, 0, {}}, good{1, success, 0.5f, 64, 1, 1, {}};
  *count = 0;
  for (const Performance &it : {bad, good})
    if (*count < most) all[(*count)++] = it;
  return success;
}

constexpr std::size_t workspace = 64;

// -- recurrent layers -----------------------------------------------------------------------------------------

enum Cell { relu, tangent, lstm, gru };

struct Layer {
  int cell = -1, type = -1, bias = 0;
  int width = 0, hidden = 0;
  unsigned flags = 0;

  int gates() const { return cell == lstm ? 4 : cell == gru ? 3 : 1; }
  // All matrices with the input, all with the hidden state, then the biases in the same order.
  std::size_t matrices() const { return std::size_t(gates()) * hidden * (width + hidden); }
  std::size_t numbers() const { return matrices() + (bias ? 2 * std::size_t(gates()) * hidden : 0); }
  std::size_t bytes() const { return numbers() * ::width(type); }
};

struct Sequences {
  int type = -1, layout = 0, steps = 0, batch = 0, vector = 0;
  std::vector<int> lengths;
};

// The gates of a step after activation, and what else backward needs.
struct Step {
  std::vector<double> gates, inner, before, memory, after;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

struct Walk {
  const Layer layer;
  const Sequences x;
  std::vector<double> weights, input;
  std::vector<Step> steps;
  std::vector<double> hidden, memory;

  Walk(const Layer &layer, const Sequences &x, const void *data, const void *hx, const void *cx, const void *space)
      : layer(layer), x(x) {
    weights = read(space, layer.type, layer.numbers());
    input = read(data, layer.type, std::size_t(x.steps) * x.batch * layer.width);
    hidden = read(hx, layer.type, std::size_t(x.batch) * layer.hidden);
    memory = read(cx, layer.type, std::size_t(x.batch) * layer.hidden);
    for (int t = 0; t < x.steps; ++t) step(t);
  }

  std::size_t matrix(int side, int row) const {
    const std::size_t rows = std::size_t(layer.gates()) * layer.hidden;
    return side == 0 ? std::size_t(row) * layer.width : rows * layer.width + std::size_t(row) * layer.hidden;
  }
  std::size_t bias(int side, int row) const {
    return layer.matrices() + std::size_t(side) * layer.gates() * layer.hidden + row;
  }

  double product(int side, int row, const double *with) const {
    double sum = layer.bias ? weights[bias(side, row)] : 0;
    const int size = side == 0 ? layer.width : layer.hidden;
    for (int i = 0; i < size; ++i) sum += weights[matrix(side, row) + i] * with[i];
    return sum;
  }

  void step(int t) {
    const int h = layer.hidden;
    Step now;
    now.before = hidden, now.memory = memory;
    now.gates.assign(std::size_t(x.batch) * layer.gates() * h, 0);
    now.inner.assign(std::size_t(x.batch) * h, 0);
    for (int n = 0; n < x.batch; ++n) {
      if (t >= x.lengths[n]) continue;
      const double *in = &input[(std::size_t(t) * x.batch + n) * layer.width], *state = &now.before[std::size_t(n) * h];
      double *gate = &now.gates[std::size_t(n) * layer.gates() * h];
      for (int i = 0; i < h; ++i) {
        const std::size_t at = std::size_t(n) * h + i;
        const auto both = [&](int g) { return product(0, g * h + i, in) + product(1, g * h + i, state); };
        switch (layer.cell) {
        case lstm: {
          const double gates[] = {sigmoid(both(0)), sigmoid(both(1)), std::tanh(both(2)), sigmoid(both(3))};
          for (int g = 0; g < 4; ++g) gate[g * h + i] = gates[g];
          memory[at] = gates[1] * now.memory[at] + gates[0] * gates[2];
          hidden[at] = gates[3] * std::tanh(memory[at]);
          break;
        }
        case gru: {
          const double reset = sigmoid(both(0)), keep = sigmoid(both(1));
          now.inner[at] = product(1, 2 * h + i, state);
          const double fresh = std::tanh(product(0, 2 * h + i, in) + reset * now.inner[at]);
          gate[i] = reset, gate[h + i] = keep, gate[2 * h + i] = fresh;
          hidden[at] = fresh + keep * (now.before[at] - fresh);
          break;
        }
        case tangent: hidden[at] = gate[i] = std::tanh(both(0)); break;
        default: hidden[at] = gate[i] = std::fmax(both(0), 0);
        }
      }
    }
    now.after = memory;
    steps.push_back(now);
  }
};

// Gradients of everything, from those of the results.
struct Back {
  std::vector<double> input, hidden, memory, weights;

  Back(const Walk &walk, std::vector<double> of_hidden, std::vector<double> of_memory, const std::vector<double> &dy)
      : hidden(std::move(of_hidden)), memory(std::move(of_memory)) {
    const Layer &layer = walk.layer;
    const int h = layer.hidden, gates = layer.gates();
    input.assign(walk.input.size(), 0), weights.assign(walk.weights.size(), 0);
    for (int t = walk.x.steps; t-- > 0;) {
      const Step &now = walk.steps[t];
      std::vector<double> before = hidden;
      for (int n = 0; n < walk.x.batch; ++n) {
        if (t >= walk.x.lengths[n]) continue;
        const double *gate = &now.gates[std::size_t(n) * gates * h], *state = &now.before[std::size_t(n) * h];
        const std::size_t row = (std::size_t(t) * walk.x.batch + n);
        std::vector<double> of_input(gates * h), of_state(gates * h);
        for (int i = 0; i < h; ++i) {
          const std::size_t at = std::size_t(n) * h + i;
          const double grad = hidden[at] + dy[row * h + i];
          before[at] = 0;
          switch (layer.cell) {
          case lstm: {
            const double in = gate[i], forget = gate[h + i], fresh = gate[2 * h + i], out = gate[3 * h + i];
            const double flat = std::tanh(now.after[at]), of_cell = memory[at] + grad * out * (1 - flat * flat);
            of_input[i] = of_cell * fresh * in * (1 - in);
            of_input[h + i] = of_cell * now.memory[at] * forget * (1 - forget);
            of_input[2 * h + i] = of_cell * in * (1 - fresh * fresh);
            of_input[3 * h + i] = grad * flat * out * (1 - out);
            for (int g = 0; g < 4; ++g) of_state[g * h + i] = of_input[g * h + i];
            memory[at] = of_cell * forget;
            break;
          }
          case gru: {
            const double reset = gate[i], keep = gate[h + i], fresh = gate[2 * h + i];
            const double of_fresh = grad * (1 - keep) * (1 - fresh * fresh);
            of_input[2 * h + i] = of_fresh, of_state[2 * h + i] = of_fresh * reset;
            of_input[i] = of_state[i] = of_fresh * now.inner[at] * reset * (1 - reset);
            of_input[h + i] = of_state[h + i] = grad * (now.before[at] - fresh) * keep * (1 - keep);
            before[at] = grad * keep;
            break;
          }
          case tangent: of_input[i] = of_state[i] = grad * (1 - gate[i] * gate[i]); break;
          default: of_input[i] = of_state[i] = gate[i] > 0 ? grad : 0;
          }
        }
        for (int g = 0; g < gates * h; ++g) {
          for (int i = 0; i < layer.width; ++i) {
            input[row * layer.width + i] += of_input[g] * walk.weights[walk.matrix(0, g) + i];
            weights[walk.matrix(0, g) + i] += of_input[g] * walk.input[row * layer.width + i];
          }
          for (int i = 0; i < h; ++i) {
            before[std::size_t(n) * h + i] += of_state[g] * walk.weights[walk.matrix(1, g) + i];
            weights[walk.matrix(1, g) + i] += of_state[g] * state[i];
          }
          if (layer.bias) weights[walk.bias(0, g)] += of_input[g], weights[walk.bias(1, g)] += of_state[g];
        }
      }
      hidden = before;
    }
  }
};

// What a reserve space has, by its address: the steps of forward, then the gradients of backward. The real one has them in
// its memory; here it has a mark, so that backward sees that it was given the space of its forward.
struct Reserve {
  std::uint64_t mark;
  std::shared_ptr<Walk> walk;
  std::shared_ptr<Back> back;
};
std::mutex reserves_mutex;
std::map<void *, Reserve> reserves;

void leave(void *at, std::shared_ptr<Walk> walk) {
  static std::uint64_t next = 0x5eedf00d;
  const std::lock_guard<std::mutex> lock(reserves_mutex);
  const std::uint64_t mark = next++;
  reserves[at] = Reserve{mark, std::move(walk), nullptr};
  std::memcpy(at, &mark, sizeof(mark));
}

Reserve &left(void *at) {
  const std::lock_guard<std::mutex> lock(reserves_mutex);
  std::uint64_t mark;
  std::memcpy(&mark, at, sizeof(mark));
  const auto found = reserves.find(at);
  if (found == reserves.end() || found->second.mark != mark) std::abort();
  return found->second;
}

void write(void *to, int type, const std::vector<double> &from) {
  for (std::size_t i = 0; to && i < from.size(); ++i) store(to, type, i, rounded(from[i], type));
}

} // namespace

extern "C" {

std::size_t cudnnGetVersion() { return 90000; }
const char *cudnnGetErrorString(int status) {
  switch (status) {
  case success: return "CUDNN_STATUS_SUCCESS";
  case not_initialized: return "CUDNN_STATUS_NOT_INITIALIZED";
  case bad_param: return "CUDNN_STATUS_BAD_PARAM";
  case not_supported: return "CUDNN_STATUS_NOT_SUPPORTED";
  default: return "CUDNN_STATUS_EXECUTION_FAILED";
  }
}

int cudnnCreate(Handle **handle) {
  if (!stand_in::wishes().has_cudnn) return not_initialized;
  if (stand_in::enqueue(nullptr, [] { return 0; }) != 0) return execution_failed;
  return *handle = new Handle, success;
}
int cudnnSetStream(Handle *handle, void *stream) { return handle->stream = stream, success; }

int cudnnCreateTensorDescriptor(Tensor **it) { return *it = new Tensor, success; }
int cudnnDestroyTensorDescriptor(Tensor *it) { return delete it, success; }
int cudnnSetTensorNdDescriptor(Tensor *it, int type, int rank, const int *sizes, const int *strides) {
  if (rank < 3) return bad_param;
  it->type = type;
  it->sizes.assign(sizes, sizes + rank), it->strides.assign(strides, strides + rank);
  return success;
}
int cudnnCreateFilterDescriptor(Tensor **it) { return *it = new Tensor, success; }
int cudnnDestroyFilterDescriptor(Tensor *it) { return delete it, success; }
int cudnnSetFilterNdDescriptor(Tensor *it, int type, int format, int rank, const int *sizes) {
  if (rank < 3 || format != 0) return bad_param;
  it->type = type;
  it->sizes.assign(sizes, sizes + rank), it->strides.assign(rank, 1);
  for (int d = rank - 1; d-- > 0;) it->strides[d] = it->strides[d + 1] * sizes[d + 1];
  return success;
}

int cudnnCreateConvolutionDescriptor(Convolution **it) { return *it = new Convolution, success; }
int cudnnDestroyConvolutionDescriptor(Convolution *it) { return delete it, success; }
int cudnnSetConvolutionNdDescriptor(Convolution *it, int rank, const int *padding, const int *stride,
                                    const int *dilation, int mode, int sums) {
  // Only those that do not mirror the weight.
  if (mode != 1) return bad_param;
  it->padding.assign(padding, padding + rank), it->stride.assign(stride, stride + rank);
  it->dilation.assign(dilation, dilation + rank), it->sums = sums;
  return success;
}
int cudnnSetConvolutionGroupCount(Convolution *it, int groups) { return it->groups = groups, success; }
int cudnnSetConvolutionMathType(Convolution *it, int math) { return it->math = math, success; }

int cudnnGetConvolutionForwardAlgorithm_v7(Handle *, Tensor *x, Tensor *w, Convolution *c, Tensor *y, int most,
                                           int *count, Performance *all) {
  return fits(*x, *w, *c, *y) ? algorithms(most, count, all) : bad_param;
}
int cudnnGetConvolutionBackwardDataAlgorithm_v7(Handle *, Tensor *w, Tensor *y, Convolution *c, Tensor *x, int most,
                                                int *count, Performance *all) {
  return fits(*x, *w, *c, *y) ? algorithms(most, count, all) : bad_param;
}
int cudnnGetConvolutionBackwardFilterAlgorithm_v7(Handle *, Tensor *x, Tensor *y, Convolution *c, Tensor *w,
                                                  int most, int *count, Performance *all) {
  return fits(*x, *w, *c, *y) ? algorithms(most, count, all) : bad_param;
}
int cudnnGetConvolutionForwardWorkspaceSize(Handle *, Tensor *, Tensor *, Convolution *, Tensor *, int,
                                            std::size_t *bytes) {
  return *bytes = workspace, success;
}
int cudnnGetConvolutionBackwardDataWorkspaceSize(Handle *, Tensor *, Tensor *, Convolution *, Tensor *, int,
                                                 std::size_t *bytes) {
  return *bytes = workspace, success;
}
int cudnnGetConvolutionBackwardFilterWorkspaceSize(Handle *, Tensor *, Tensor *, Convolution *, Tensor *, int,
                                                   std::size_t *bytes) {
  return *bytes = workspace, success;
}

int cudnnConvolutionForward(Handle *handle, const void *alpha, Tensor *x, void *x_at, Tensor *w, void *w_at,
                            Convolution *c, int algorithm, void *, std::size_t space, const void *beta, Tensor *y,
                            void *y_at) {
  if (algorithm != 1 || space < workspace) return not_supported;
  return convolve(handle, to_y, *x, x_at, *w, w_at, *c, *y, y_at, factor(alpha, x->type), factor(beta, x->type));
}
int cudnnConvolutionBackwardData(Handle *handle, const void *alpha, Tensor *w, void *w_at, Tensor *y, void *y_at,
                                 Convolution *c, int algorithm, void *, std::size_t space, const void *beta,
                                 Tensor *x, void *x_at) {
  if (algorithm != 1 || space < workspace) return not_supported;
  return convolve(handle, to_x, *x, x_at, *w, w_at, *c, *y, y_at, factor(alpha, x->type), factor(beta, x->type));
}
int cudnnConvolutionBackwardFilter(Handle *handle, const void *alpha, Tensor *x, void *x_at, Tensor *y, void *y_at,
                                   Convolution *c, int algorithm, void *, std::size_t space, const void *beta,
                                   Tensor *w, void *w_at) {
  if (algorithm != 1 || space < workspace) return not_supported;
  return convolve(handle, to_w, *x, x_at, *w, w_at, *c, *y, y_at, factor(alpha, x->type), factor(beta, x->type));
}

int cudnnCreateDropoutDescriptor(int **it) { return *it = new int(0), success; }
int cudnnDestroyDropoutDescriptor(int *it) { return delete it, success; }
int cudnnSetDropoutDescriptor(int *, Handle *, float part, void *, std::size_t, unsigned long long) {
  return part == 0 ? success : bad_param;
}
int cudnnCreateRNNDescriptor(Layer **it) { return *it = new Layer, success; }
int cudnnDestroyRNNDescriptor(Layer *it) { return delete it, success; }
int cudnnSetRNNDescriptor_v8(Layer *it, int algorithm, int cell, int bias, int direction, int input, int type, int,
                             int, std::int32_t width, std::int32_t hidden, std::int32_t projection,
                             std::int32_t layers, int *dropout, std::uint32_t flags) {
  if (algorithm || direction || input || layers != 1 || projection != hidden || !dropout) return not_supported;
  if (bias != 0 && bias != 2) return not_supported;
  it->cell = cell, it->type = type, it->bias = bias;
  it->width = width, it->hidden = hidden, it->flags = flags;
  return success;
}
int cudnnCreateRNNDataDescriptor(Sequences **it) { return *it = new Sequences, success; }
int cudnnDestroyRNNDataDescriptor(Sequences *it) { return delete it, success; }
int cudnnSetRNNDataDescriptor(Sequences *it, int type, int layout, int steps, int batch, int vector,
                              const int *lengths, const void *padding) {
  if (layout != 0 || !padding) return not_supported;
  for (int n = 0; n < batch; ++n)
    if (lengths[n] < 1 || lengths[n] > steps) return bad_param;
  it->type = type, it->layout = layout, it->steps = steps, it->batch = batch, it->vector = vector;
  it->lengths.assign(lengths, lengths + batch);
  return success;
}
int cudnnGetRNNTempSpaceSizes(Handle *, Layer *, int, Sequences *, std::size_t *work, std::size_t *reserve) {
  return *work = workspace, *reserve = 16, success;
}
int cudnnGetRNNWeightSpaceSize(Handle *, Layer *layer, std::size_t *bytes) {
  return *bytes = layer->bytes(), success;
}
int cudnnGetRNNWeightParams(Handle *, Layer *layer, std::int32_t pseudo, std::size_t, char *space, std::int32_t id,
                            Tensor *, char **matrix, Tensor *, char **bias) {
  if (pseudo != 0 || id < 0 || id >= 2 * layer->gates()) return bad_param;
  const int gates = layer->gates(), side = id / gates, gate = id % gates;
  const std::size_t each = std::size_t(layer->hidden) * width(layer->type);
  const std::size_t before = std::size_t(gates) * each * layer->width;
  *matrix = space + (side == 0 ? gate * each * layer->width : before + gate * each * layer->hidden);
  *bias = layer->bias ? space + layer->matrices() * width(layer->type) + id * each : nullptr;
  return success;
}

int cudnnRNNForward(Handle *handle, Layer *layer, int, const void *, Sequences *x, const void *x_at, Sequences *y,
                    void *y_at, Tensor *state, const void *hx, void *hy, Tensor *, const void *cx, void *cy,
                    std::size_t size, const void *space, std::size_t work, void *, std::size_t reserve,
                    void *reserve_at) {
  const bool padded = layer->flags & 1;
  if (x->type != layer->type || x->vector != layer->width || y->vector != layer->hidden) return bad_param;
  if (state->sizes != std::vector<long long>{1, x->batch, layer->hidden}) return bad_param;
  if (size != layer->bytes() || work < workspace || reserve < 16 || !padded) return bad_param;
  return start(handle, [layer = *layer, x = *x, x_at, y_at, hx, hy, cx, cy, space, reserve_at] {
    const auto made = std::make_shared<Walk>(layer, x, x_at, hx, cx, space);
    const Walk &walk = *made;
    std::vector<double> all(std::size_t(x.steps) * x.batch * layer.hidden);
    for (int t = 0; t < x.steps; ++t)
      for (int n = 0; n < x.batch; ++n)
        for (int i = 0; t < x.lengths[n] && i < layer.hidden; ++i) {
          const std::size_t at = std::size_t(n) * layer.hidden + i;
          all[std::size_t(t) * x.batch * layer.hidden + at] =
              t + 1 < x.steps ? walk.steps[t + 1].before[at] : walk.hidden[at];
        }
    write(y_at, layer.type, all), write(hy, layer.type, walk.hidden);
    if (layer.cell == lstm) write(cy, layer.type, walk.memory);
    leave(reserve_at, made);
  });
}

int cudnnRNNBackwardData_v8(Handle *handle, Layer *layer, const void *, Sequences *y, const void *y_at, const void *dy,
                            Sequences *x, void *dx, Tensor *, const void *hx, const void *dhy, void *dhx, Tensor *,
                            const void *cx, const void *dcy, void *dcx, std::size_t size, const void *space,
                            std::size_t work, void *, std::size_t reserve, void *reserve_at) {
  if (y->vector != layer->hidden || x->vector != layer->width || !y_at || !hx || !space) return bad_param;
  if (size != layer->bytes() || work < workspace || reserve < 16) return bad_param;
  if ((layer->cell == lstm) != (cx && dcy && dcx)) return bad_param;
  return start(handle, [layer = *layer, x = *x, dy, dx, dhy, dhx, dcy, dcx, reserve_at] {
    Reserve &kept = left(reserve_at);
    const std::size_t each = std::size_t(x.batch) * layer.hidden;
    kept.back = std::make_shared<Back>(*kept.walk, read(dhy, layer.type, each), read(dcy, layer.type, each),
                                       read(dy, layer.type, each * x.steps));
    write(dx, layer.type, kept.back->input), write(dhx, layer.type, kept.back->hidden);
    if (layer.cell == lstm) write(dcx, layer.type, kept.back->memory);
  });
}

int cudnnRNNBackwardWeights_v8(Handle *handle, Layer *layer, int add, const void *, Sequences *x, const void *x_at,
                               Tensor *, const void *hx, Sequences *y, const void *y_at, std::size_t size,
                               void *dspace, std::size_t work, void *, std::size_t reserve, void *reserve_at) {
  if (add != 0 || y->vector != layer->hidden || x->vector != layer->width || !x_at || !hx || !y_at) return bad_param;
  if (size != layer->bytes() || work < workspace || reserve < 16) return bad_param;
  return start(handle, [layer = *layer, dspace, reserve_at] {
    const Reserve &kept = left(reserve_at);
    if (!kept.back) std::abort();
    for (std::size_t i = 0; i < kept.back->weights.size(); ++i)
      store(dspace, layer.type, i, load(dspace, layer.type, i) + kept.back->weights[i]);
  });
}

} // extern "C"
