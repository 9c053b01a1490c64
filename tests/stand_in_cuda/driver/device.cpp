// cuDevice*, cuCtx*, cuDevicePrimaryCtx*: what the card is, and its context.
#include "card.h"

#include <cstdio>
#include <cstring>

using namespace stand_in;

namespace {

// The numbers are those of CUdevice_attribute. What is not here is 0: no such feature.
int attribute(int what) {
  switch (what) {
  case 1: return 1024;       // threads in a block
  case 2: case 3: return 1024;
  case 4: return 64;
  case 5: return 2147483647; // blocks in a grid
  case 6: case 7: return 65535;
  case 8: return 48 << 10;   // shared memory of a block
  case 10: return 32;        // threads in a warp
  case 12: return 65536;     // registers of a block
  case 13: return 1000000;   // clock, kHz
  case 15: return 1;         // copies beside kernels
  case 16: return 4;         // multiprocessors
  case 31: return 1;         // kernels beside each other
  case 34: return 1;         // PCI device
  case 36: return 1000000;   // memory clock, kHz
  case 37: return 64;        // memory bus, bits
  case 38: return 1 << 20;   // L2 cache
  case 39: return 2048;      // threads on a multiprocessor
  case 41: return 1;         // one address space with the host
  case 75: return 8;         // compute capability
  case 76: return 0;
  case 78: return 1;         // stream priorities
  case 97: return 227 << 10; // the same, if a kernel asks for it
  case 115: return 1;        // memory pools
  default: return 0;
  }
}

} // namespace

extern "C" {

Status cuDriverGetVersion(int *version) { return *version = 13000, success; }

Status cuGetErrorName(Status status, const char **name) {
  *name = name_of(status);
  return *name ? success : invalid_value;
}

Status cuGetErrorString(Status status, const char **text) {
  *text = text_of(status);
  return *text ? success : invalid_value;
}

Status cuDeviceGetCount(int *count) {
  if (!initialized()) return not_initialized;
  *count = int(cards().size());
  return success;
}

Status cuDeviceGet(int *device, int ordinal) {
  if (!initialized()) return not_initialized;
  if (!card_at(ordinal)) return invalid_device;
  *device = ordinal;
  return success;
}

Status cuDeviceGetName(char *name, int size, int device) {
  if (!card_at(device)) return invalid_device;
  std::snprintf(name, size, "Stand-in card (host memory)");
  return success;
}

Status cuDeviceGetUuid_v2(unsigned char *uuid, int device) {
  const Card *card = card_at(device);
  if (!card) return invalid_device;
  std::memcpy(uuid, "stand-in-card-00", 16);
  uuid[15] = static_cast<unsigned char>('0' + card->slot());
  return success;
}

Status cuDeviceGetUuid(unsigned char *uuid, int device) { return cuDeviceGetUuid_v2(uuid, device); }

Status cuDeviceGetAttribute(int *value, int what, int device) {
  if (!card_at(device)) return invalid_device;
  *value = attribute(what);
  return success;
}

Status cuDeviceTotalMem_v2(std::size_t *bytes, int device) {
  Card *card = card_at(device);
  if (!card) return invalid_device;
  *bytes = card->pool().total();
  return success;
}

Status cuDeviceGetPCIBusId(char *id, int size, int device) {
  if (!card_at(device)) return invalid_device;
  std::snprintf(id, size, "0000:%02X:00.0", device + 1);
  return success;
}

Status cuDevicePrimaryCtxRetain(Card **context, int device) {
  Card *card = card_at(device);
  if (!card) return invalid_device;
  *context = card;
  return card->retain();
}

Status cuDevicePrimaryCtxRelease_v2(int device) {
  Card *card = card_at(device);
  if (!card) return invalid_device;
  card->release();
  return success;
}

Status cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  if (!card_at(device)) return invalid_device;
  *flags = 0;
  *active = current_card() == card_at(device);
  return success;
}

Status cuCtxGetCurrent(Card **context) {
  if (!initialized()) return not_initialized;
  *context = current_card();
  return success;
}

Status cuCtxSetCurrent(Card *context) {
  if (!initialized()) return not_initialized;
  set_current_card(context);
  return context ? context->broken() : success;
}

Status cuCtxGetDevice(int *device) {
  if (const Status status = ready()) return status;
  *device = current_card()->ordinal();
  return success;
}

Status cuCtxSynchronize() {
  if (const Status status = ready()) return status;
  return current_card()->synchronize();
}

Status cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  *least = *greatest = 0;
  return ready();
}

Status cuCtxSetFlags(unsigned) { return ready(); }

} // extern "C"
