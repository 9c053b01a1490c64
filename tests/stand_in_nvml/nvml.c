/* Stands in for libnvidia-ml.so.1 where there is no driver: one card that says what a test expects.
 *
 * Written from the documented interface of NVML, so that `warpup nvml` reads through a real library. What it has not,
 * the caller finds missing, as with an older driver. STAND_IN_NVML asks it to fail: a number is what nvmlInit_v2
 * returns, `hang` makes it hang there, `lost` makes the card one that fell off the bus. STAND_IN_NVML_LOADS has the cards of
 * tests/stand_in_cuda instead, each with its GiB in use, its percentage and its number of processes: "3:42:1 0:0:0".
 */
#include <signal.h>
#include <stdio.h>
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

/* A card's handle is its place here. */
static char places[8];

/* GiB in use, percentage, processes. */
static int load_of(card it, int load[3]) {
    const char *all = getenv("STAND_IN_NVML_LOADS");
    long skip = (char *)it - places;
    load[0] = 3, load[1] = 42, load[2] = 1;
    if (!all) return skip == 0;
    for (; skip > 0 && all; skip--) all = strchr(all, ' ') ? strchr(all, ' ') + 1 : 0;
    return all && sscanf(all, "%d:%d:%d", &load[0], &load[1], &load[2]) == 3;
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
    int load[3];
    *to = &places[index % 8];
    return index < 8 && load_of(*to, load) ? SUCCESS : NOT_FOUND;
}
answer nvmlDeviceGetHandleByUUID(const char *uuid, card *to) {
    /* The last byte is the digit of the card's number. */
    unsigned index = uuid[strlen(uuid) - 1] - '0';
    int load[3];
    *to = &places[index % 8];
    return strncmp(uuid, "GPU-7374616e", 12) == 0 && load_of(*to, load) ? SUCCESS : NOT_FOUND;
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
    int load[3];
    load_of(it, load);
    to->total = 16ull << 30;
    to->used = (unsigned long long)load[0] << 30;
    to->reserved = 1ull << 29;
    to->free = to->total - to->used - to->reserved;
    return SUCCESS;
}
answer nvmlDeviceGetUtilizationRates(card it, struct rates *to) {
    int load[3];
    load_of(it, load);
    to->gpu = load[1];
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
    int load[3];
    unsigned room = *count;
    load_of(it, load);
    *count = load[2];
    if (room < *count) return INSUFFICIENT_SIZE;
    for (unsigned at = 0; at < *count; at++) to[at] = (struct process){4242 + at, 2ull << 30, 0, 0};
    return SUCCESS;
}
/* A card without corrected memory. */
answer nvmlDeviceGetTotalEccErrors(card it, int kind, int counter, unsigned long long *to) { return NOT_SUPPORTED; }
