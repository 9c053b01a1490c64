// What a test asks the stand-in to do through the environment, STAND_IN_CUDA=what=how,what=how:
//
//   init, context, module, kernel=NAME   fail there, with the driver's error of that name, such as no_device
//   kernel=hang                          a kernel that never ends
//   cudnn=missing                        cuDNN cannot be used
//   cupti=HOW                            what libraries/cupti.cpp does
//   memory=MIB                           the card's memory; cards=N how many there are
#pragma once
#include "status.h"

#include <cstddef>
#include <string>

namespace stand_in {

struct Wishes {
  Status init = success, context = success, module = success, kernel = success;
  bool hang = false, has_cudnn = true;
  std::size_t memory = std::size_t(2) << 30;
  int cards = 1;
  std::string cupti;
};

// Read once; what cannot be understood ends the process, since a test that asks for it would prove nothing.
const Wishes &wishes();

} // namespace stand_in
