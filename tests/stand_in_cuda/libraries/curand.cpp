// cuRAND: seeded numbers of the right distribution, which are not the real library's.
#include "enqueue.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>

namespace {

struct Generator {
  void *stream = nullptr;
  // Drawn from by the stream's thread, so it outlives the generator if need be.
  std::shared_ptr<std::mt19937_64> source = std::make_shared<std::mt19937_64>();
};

template <typename T, typename Distribution>
int generate(const Generator *generator, T *out, std::size_t count, Distribution distribution) {
  auto source = generator->source;
  const int status = stand_in::enqueue(generator->stream, [=]() mutable {
    for (std::size_t i = 0; i < count; ++i) out[i] = distribution(*source);
    return 0;
  });
  return status == 0 ? 0 : 201; // CURAND_STATUS_LAUNCH_FAILURE
}

} // namespace

extern "C" {

int curandCreateGenerator(Generator **generator, int) { return *generator = new Generator, 0; }
int curandDestroyGenerator(Generator *generator) { return delete generator, 0; }
int curandSetStream(Generator *generator, void *stream) { return generator->stream = stream, 0; }
int curandSetGeneratorOffset(Generator *, std::uint64_t) { return 0; }
int curandSetPseudoRandomGeneratorSeed(Generator *generator, std::uint64_t seed) {
  generator->source = std::make_shared<std::mt19937_64>(seed);
  return 0;
}

int curandGenerateUniform(Generator *generator, float *out, std::size_t count) {
  return generate(generator, out, count, std::uniform_real_distribution<float>());
}
int curandGenerateUniformDouble(Generator *generator, double *out, std::size_t count) {
  return generate(generator, out, count, std::uniform_real_distribution<double>());
}
int curandGenerateNormal(Generator *generator, float *out, std::size_t count, float mean, float deviation) {
  return generate(generator, out, count, std::normal_distribution<float>(mean, deviation));
}
int curandGenerateNormalDouble(Generator *generator, double *out, std::size_t count, double mean,
                               double deviation) {
  return generate(generator, out, count, std::normal_distribution<double>(mean, deviation));
}

} // extern "C"
