/* Stands in for libnvidia-ml.so.1 where there is no driver: one card that says what a test expects.
 *
 * Written from the documented interface of NVML, so that `warpup nvml` reads through a real library. What it has not,
 * the caller finds missing, as with an older driver. STAND_IN_NVML asks it to fail: a number is what nvmlInit_v2
 * returns, `hang` makes it hang there, `lost` makes the card one that fell off the bus.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef int answer;
typedef void *card;

enum { SUCCESS = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6, INSUFFICIENT_SIZE = 7, GPU_IS_LOST = 15 };

struct memory { unsigned version; unsigned long long total, reserved, free, used; };
struct pci { char legacy[16]; unsigned domain, bus, device, model, subsystem; char id[32]; };
struct process { unsigned pid; unsigned long long memory; unsigned gpu_instance, compute_instance; };
struct rates { unsigned gpu, memory; };

static const char *asked(void) {
    const char *what = getenv("STAND_IN_NVML");
    return what ? what : "";
}

static answer text(char *to, unsigned room, const char *what) {
    if (strlen(what) >= room) return INSUFFICIENT_SIZE;
    strcpy(to, what);
    return SUCCESS;
}

answer nvmlInit_v2(void) {
    /* A stopped process hangs until it is killed. */
    if (strcmp(asked(), "hang") == 0) raise(SIGSTOP);
    return atoi(asked());
}
answer nvmlShutdown(void) { return SUCCESS; }
answer nvmlSystemGetDriverVersion(char *to, unsigned room) { return text(to, room, "580.95.05"); }
answer nvmlSystemGetCudaDriverVersion_v2(int *to) { *to = 13000; return SUCCESS; }
answer nvmlSystemGetProcessName(unsigned pid, char *to, unsigned room) {
    return pid == 4242 ? text(to, room, "/usr/bin/python3") : NOT_FOUND;
}
answer nvmlDeviceGetCount_v2(unsigned *to) { *to = 1; return SUCCESS; }
answer nvmlDeviceGetHandleByIndex_v2(unsigned index, card *to) {
    if (strcmp(asked(), "lost") == 0) return GPU_IS_LOST;
    *to = &nvmlShutdown;
    return index == 0 ? SUCCESS : NOT_FOUND;
}
answer nvmlDeviceGetName(card it, char *to, unsigned room) { return text(to, room, "Stand-in H200"); }
answer nvmlDeviceGetUUID(card it, char *to, unsigned room) {
    return text(to, room, "GPU-00000000-1111-2222-3333-444444444444");
}
answer nvmlDeviceGetPciInfo_v3(card it, struct pci *to) {
    memset(to, 0, sizeof *to);
    return text(to->id, sizeof to->id, "00000000:3B:00.0");
}
answer nvmlDeviceGetTemperature(card it, int sensor, unsigned *to) {
    *to = 41;
    return sensor == 0 ? SUCCESS : NOT_SUPPORTED;
}
answer nvmlDeviceGetCudaComputeCapability(card it, int *major, int *minor) {
    *major = 9;
    *minor = 0;
    return SUCCESS;
}
answer nvmlDeviceGetMemoryInfo_v2(card it, struct memory *to) {
    to->total = 16ull << 30;
    to->used = 3ull << 30;
    to->reserved = 1ull << 29;
    to->free = to->total - to->used - to->reserved;
    return SUCCESS;
}
answer nvmlDeviceGetUtilizationRates(card it, struct rates *to) {
    to->gpu = 42;
    to->memory = 7;
    return SUCCESS;
}
answer nvmlDeviceGetComputeMode(card it, int *to) { *to = 3; return SUCCESS; }
answer nvmlDeviceGetPersistenceMode(card it, int *to) { *to = 1; return SUCCESS; }
answer nvmlDeviceGetMigMode(card it, unsigned *now, unsigned *next) { *now = *next = 1; return SUCCESS; }
answer nvmlDeviceGetMaxMigDeviceCount(card it, unsigned *to) { *to = 7; return SUCCESS; }
answer nvmlDeviceGetMigDeviceHandleByIndex(card it, unsigned index, card *to) {
    *to = it;
    return index == 0 || index == 3 ? SUCCESS : NOT_FOUND;
}
answer nvmlDeviceGetComputeRunningProcesses_v3(card it, unsigned *count, struct process *to) {
    unsigned room = *count;
    *count = 1;
    if (room < 1) return INSUFFICIENT_SIZE;
    to[0] = (struct process){4242, 2ull << 30, 0, 0};
    return SUCCESS;
}
/* A card without corrected memory. */
answer nvmlDeviceGetTotalEccErrors(card it, int kind, int counter, unsigned long long *to) { return NOT_SUPPORTED; }
