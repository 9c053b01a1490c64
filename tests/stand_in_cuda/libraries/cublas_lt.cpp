// cuBLASLt: products with a bias in their epilogue, column by column. The others have no stand-in.
#include "enqueue.h"
#include "numbers.h"

#include <cstddef>
#include <cstring>
#include <vector>

namespace {

enum { success = 0, invalid_value = 7, execution_failed = 13, not_supported = 15 };
// By the numbers of cudaDataType, cublasComputeType_t, cublasLtMatmulDescAttributes_t and cublasLtEpilogue_t.
enum { f32 = 0, f16 = 2, bf16 = 14 };
enum { compute_f32 = 68, compute_tf32 = 77 };
enum { transpose_a = 3, transpose_b = 4, epilogue = 7, bias_pointer = 8 };
enum { no_epilogue = 1, with_bias = 4 };

struct Layout {
  int type;
  std::uint64_t rows, columns;
  std::int64_t leading;
};

struct Product {
  int compute, scale;
  int transposed[2] = {0, 0};
  int epilogue = no_epilogue;
  const void *bias = nullptr;
};

// An algorithm is opaque; this one is recognized when it comes back.
constexpr std::uint64_t known_algorithm = 0xb1a5;

struct Algorithm {
  std::uint64_t data[8];
};

struct Found {
  Algorithm algorithm;
  std::size_t workspace;
  int state;
  float waves;
  int reserved[4];
};

struct Sizes {
  std::uint64_t m, n, k;
};

// Nothing where sizes or types do not belong together.
bool sizes(const Product &p, const Layout &a, const Layout &b, const Layout &c, Sizes *all) {
  if (p.scale != f32 || (p.compute != compute_f32 && p.compute != compute_tf32)) return false;
  if (a.type != b.type || a.type != c.type || (a.type != f32 && a.type != f16 && a.type != bf16)) return false;
  *all = {c.rows, c.columns, p.transposed[0] ? a.rows : a.columns};
  const std::uint64_t m = p.transposed[0] ? a.columns : a.rows;
  const std::uint64_t n = p.transposed[1] ? b.rows : b.columns, k = p.transposed[1] ? b.columns : b.rows;
  return m == all->m && n == all->n && k == all->k;
}

stand_in::Type type_of(int type) {
  return type == f32 ? stand_in::Type::f32 : type == f16 ? stand_in::Type::f16 : stand_in::Type::bf16;
}

} // namespace

extern "C" {

int cublasLtCreate(int **handle) { return *handle = new int(0), success; }
int cublasLtDestroy(int *handle) { return delete handle, success; }

int cublasLtMatrixLayoutCreate(Layout **it, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
  return *it = new Layout{type, rows, columns, leading}, success;
}
int cublasLtMatrixLayoutDestroy(Layout *it) { return delete it, success; }

int cublasLtMatmulDescCreate(Product **it, int compute, int scale) {
  return *it = new Product{compute, scale}, success;
}
int cublasLtMatmulDescDestroy(Product *it) { return delete it, success; }
int cublasLtMatmulDescSetAttribute(Product *it, int attribute, const void *value, std::size_t size) {
  void *to;
  switch (attribute) {
  case transpose_a: to = &it->transposed[0]; break;
  case transpose_b: to = &it->transposed[1]; break;
  case epilogue: to = &it->epilogue; break;
  case bias_pointer: to = &it->bias; break;
  default: return not_supported;
  }
  if (size != (attribute == bias_pointer ? sizeof(void *) : sizeof(int))) return invalid_value;
  return std::memcpy(to, value, size), success;
}

int cublasLtMatmulPreferenceCreate(std::size_t **it) { return *it = new std::size_t(0), success; }
int cublasLtMatmulPreferenceDestroy(std::size_t *it) { return delete it, success; }
int cublasLtMatmulPreferenceSetAttribute(std::size_t *it, int attribute, const void *value, std::size_t size) {
  // CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES.
  if (attribute != 1 || size != sizeof(*it)) return not_supported;
  return std::memcpy(it, value, size), success;
}

int cublasLtMatmulAlgoGetHeuristic(int *, Product *p, Layout *a, Layout *b, Layout *c, Layout *d, std::size_t *, int most,
                                   Found *found, int *count) {
  Sizes all;
  *count = 0;
  if (most < 1 || c != d || !sizes(*p, *a, *b, *c, &all)) return not_supported;
  // A single row is what this one has no algorithm for, so that the other way is tried, too.
  if (all.n == 1) return not_supported;
  *found = Found{{{known_algorithm}}, 256, success, 1, {}};
  return *count = 1, success;
}

int cublasLtMatmul(int *, Product *p, const float *alpha, const void *a_at, Layout *a, const void *b_at, Layout *b,
                   const float *beta, const void *, Layout *c, void *out, Layout *, const Algorithm *algorithm,
                   void *work, std::size_t work_size, void *stream) {
  Sizes all;
  if (!sizes(*p, *a, *b, *c, &all) || *beta != 0 || algorithm->data[0] != known_algorithm) return not_supported;
  if (work_size < 256 || !work || (p->epilogue == with_bias) != (p->bias != nullptr)) return invalid_value;
  const int status = stand_in::enqueue(stream, [=, p = *p, a = *a, b = *b, c = *c, alpha = *alpha] {
    const stand_in::Type type = type_of(a.type);
    // TF32 keeps 10 bits of mantissa.
    const auto at = [&](const void *data, const Layout &m, bool turned, std::uint64_t row, std::uint64_t column) {
      const double value = stand_in::load(data, type, turned ? row * m.leading + column : column * m.leading + row);
      return p.compute == compute_tf32 ? double(stand_in::tf32(float(value))) : value;
    };
    for (std::uint64_t column = 0; column < all.n; ++column)
      for (std::uint64_t row = 0; row < all.m; ++row) {
        float sum = 0;
        for (std::uint64_t i = 0; i < all.k; ++i)
          sum += float(at(a_at, a, p.transposed[0], row, i)) * float(at(b_at, b, p.transposed[1], i, column));
        const double bias = p.epilogue == with_bias ? stand_in::load(p.bias, type, row) : 0;
        stand_in::store(out, type, column * c.leading + row, alpha * sum + bias);
      }
    return 0;
  });
  return status == 0 ? success : execution_failed;
}

} // extern "C"
