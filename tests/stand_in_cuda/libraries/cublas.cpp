// cuBLAS: matrix products, column by column. The others have no stand-in.
#include "enqueue.h"
#include "numbers.h"

#include <cstddef>
#include <vector>

namespace {

enum Status { success = 0, invalid_value = 7, execution_failed = 13, not_supported = 15 };
// By the numbers of cudaDataType and cublasComputeType_t.
enum Type { f32 = 0, f64 = 1, f16 = 2, bf16 = 14 };
enum Compute { compute_f16 = 64, compute_f32 = 68, compute_f64 = 70, compute_tf32 = 77 };

struct Handle {
  void *stream = nullptr;
  int pointer_mode = 0, math_mode = 0;
};

struct Matrix {
  const void *data;
  int type, leading;
  long long stride; // to that of the next product
  bool transposed;
};

struct Product {
  int m, n, k, batch, compute;
  double alpha, beta;
  Matrix a, b;
  void *c;
  int c_type, c_leading;
  long long c_stride;
};

stand_in::Type type_of(int type) {
  switch (type) {
  case f32: return stand_in::Type::f32;
  case f64: return stand_in::Type::f64;
  case f16: return stand_in::Type::f16;
  default: return stand_in::Type::bf16;
  }
}

double load(const void *data, int type, std::size_t i) { return stand_in::load(data, type_of(type), i); }
void store(void *data, int type, std::size_t i, double value) { stand_in::store(data, type_of(type), i, value); }

// A matrix of one product with its columns one after another, `rows` long.
template <typename T>
std::vector<T> columns(const Matrix &matrix, int batch, int rows, int count, bool coarse) {
  std::vector<T> all(std::size_t(rows) * count);
  const std::size_t start = std::size_t(batch) * matrix.stride;
  for (int column = 0; column < count; ++column)
    for (int row = 0; row < rows; ++row) {
      const std::size_t i = matrix.transposed ? std::size_t(row) * matrix.leading + column
                                              : std::size_t(column) * matrix.leading + row;
      const T value = T(load(matrix.data, matrix.type, start + i));
      all[std::size_t(column) * rows + row] = coarse ? T(stand_in::tf32(float(value))) : value;
    }
  return all;
}

template <typename T> void multiply(const Product &p, int batch) {
  const bool coarse = p.compute == compute_tf32;
  const auto a = columns<T>(p.a, batch, p.m, p.k, coarse), b = columns<T>(p.b, batch, p.k, p.n, coarse);
  std::vector<T> sums(p.m);
  for (int column = 0; column < p.n; ++column) {
    sums.assign(p.m, 0);
    for (int i = 0; i < p.k; ++i) {
      const T factor = b[std::size_t(column) * p.k + i];
      const T *from = &a[std::size_t(i) * p.m];
      for (int row = 0; row < p.m; ++row) sums[row] += from[row] * factor;
    }
    for (int row = 0; row < p.m; ++row) {
      const std::size_t at = std::size_t(batch) * p.c_stride + std::size_t(column) * p.c_leading + row;
      const double before = p.beta == 0 ? 0 : p.beta * load(p.c, p.c_type, at);
      store(p.c, p.c_type, at, p.alpha * sums[row] + before);
    }
  }
}

Status start(const Handle *handle, const Product &p) {
  if (p.m < 0 || p.n < 0 || p.k < 0 || p.batch < 0) return invalid_value;
  for (int type : {p.a.type, p.b.type, p.c_type})
    if (type != f32 && type != f64 && type != f16 && type != bf16) return not_supported;
  const int status = stand_in::enqueue(handle->stream, [p] {
    for (int batch = 0; batch < p.batch; ++batch)
      p.compute == compute_f64 ? multiply<double>(p, batch) : multiply<float>(p, batch);
    return 0;
  });
  return status == 0 ? success : execution_failed;
}

// The factors are of the type in which it computes.
bool factor(const void *value, int compute, double *factor) {
  switch (compute) {
  case compute_f16: *factor = load(value, f16, 0); return true;
  case compute_f32:
  case compute_tf32: *factor = load(value, f32, 0); return true;
  case compute_f64: *factor = load(value, f64, 0); return true;
  default: return false;
  }
}

} // namespace

extern "C" {

int cublasCreate_v2(Handle **handle) {
  // Like the real one, it wants a context that works.
  if (stand_in::enqueue(nullptr, [] { return 0; }) != 0) return 1;
  return *handle = new Handle, success;
}
int cublasDestroy_v2(Handle *handle) { return delete handle, success; }
int cublasSetStream_v2(Handle *handle, void *stream) { return handle->stream = stream, success; }
int cublasSetMathMode(Handle *handle, int mode) { return handle->math_mode = mode, success; }
int cublasSetPointerMode_v2(Handle *handle, int mode) { return handle->pointer_mode = mode, success; }
int cublasGetPointerMode_v2(Handle *handle, int *mode) { return *mode = handle->pointer_mode, success; }
int cublasSetWorkspace_v2(Handle *, void *, std::size_t) { return success; }

int cublasGemmStridedBatchedEx(Handle *handle, int transpose_a, int transpose_b, int m, int n, int k,
                               const void *alpha, const void *a, int a_type, int a_leading, long long a_stride,
                               const void *b, int b_type, int b_leading, long long b_stride, const void *beta,
                               void *c, int c_type, int c_leading, long long c_stride, int batch, int compute,
                               int) {
  Product product{m, n, k, batch, compute, 0, 0, {a, a_type, a_leading, a_stride, transpose_a != 0},
                  {b, b_type, b_leading, b_stride, transpose_b != 0}, c, c_type, c_leading, c_stride};
  if (!factor(alpha, compute, &product.alpha) || !factor(beta, compute, &product.beta)) return not_supported;
  return start(handle, product);
}

int cublasGemmEx(Handle *handle, int transpose_a, int transpose_b, int m, int n, int k, const void *alpha,
                 const void *a, int a_type, int a_leading, const void *b, int b_type, int b_leading,
                 const void *beta, void *c, int c_type, int c_leading, int compute, int algorithm) {
  return cublasGemmStridedBatchedEx(handle, transpose_a, transpose_b, m, n, k, alpha, a, a_type, a_leading, 0, b,
                                    b_type, b_leading, 0, beta, c, c_type, c_leading, 0, 1, compute, algorithm);
}

int cublasDgemmStridedBatched(Handle *handle, int transpose_a, int transpose_b, int m, int n, int k,
                              const double *alpha, const double *a, int a_leading, long long a_stride,
                              const double *b, int b_leading, long long b_stride, const double *beta, double *c,
                              int c_leading, long long c_stride, int batch) {
  return cublasGemmStridedBatchedEx(handle, transpose_a, transpose_b, m, n, k, alpha, a, f64, a_leading, a_stride,
                                    b, f64, b_leading, b_stride, beta, c, f64, c_leading, c_stride, batch,
                                    compute_f64, 0);
}

int cublasSgemmStridedBatched(Handle *handle, int transpose_a, int transpose_b, int m, int n, int k,
                              const float *alpha, const float *a, int a_leading, long long a_stride,
                              const float *b, int b_leading, long long b_stride, const float *beta, float *c,
                              int c_leading, long long c_stride, int batch) {
  return cublasGemmStridedBatchedEx(handle, transpose_a, transpose_b, m, n, k, alpha, a, f32, a_leading, a_stride,
                                    b, f32, b_leading, b_stride, beta, c, f32, c_leading, c_stride, batch,
                                    compute_f32, 0);
}

} // extern "C"
