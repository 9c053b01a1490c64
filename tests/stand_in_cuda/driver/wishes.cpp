#include "wishes.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

namespace stand_in {
namespace {

[[noreturn]] void refuse(const std::string &wish) {
  std::fprintf(stderr, "stand-in CUDA: STAND_IN_CUDA asks for \"%s\", which is nothing\n", wish.c_str());
  std::_Exit(2);
}

Status error(const std::string &wish, const std::string &how) {
  const Status status = status_named(how.c_str());
  if (status < 0) refuse(wish);
  return status;
}

void grant(Wishes &all, const std::string &wish) {
  const auto equals = wish.find('=');
  if (equals == std::string::npos) refuse(wish);
  const std::string what = wish.substr(0, equals), how = wish.substr(equals + 1);
  if (what == "init") all.init = error(wish, how);
  else if (what == "context") all.context = error(wish, how);
  else if (what == "module") all.module = error(wish, how);
  else if (what == "kernel" && how == "hang") all.hang = true;
  else if (what == "kernel") all.kernel = error(wish, how);
  else if (what == "cudnn" && how == "missing") all.has_cudnn = false;
  else if (what == "memory") all.memory = std::strtoull(how.c_str(), nullptr, 10) << 20;
  else if (what == "cupti") all.cupti = how;
  else if (what == "cards") all.cards = std::atoi(how.c_str());
  else refuse(wish);
}

Wishes read() {
  Wishes all;
  const char *text = std::getenv("STAND_IN_CUDA");
  std::istringstream wishes(text ? text : "");
  for (std::string wish; std::getline(wishes, wish, ',');)
    if (!wish.empty()) grant(all, wish);
  return all;
}

} // namespace

const Wishes &wishes() {
  static const Wishes all = read();
  return all;
}

} // namespace stand_in
