#include <hip/hip_runtime.h>

#define RT(tail) hip##tail
#define DRV(x) hip ## x
#define OK(call) ((call) == RT(Success))
#define TRY(f, ...) OK(RT(f)(__VA_ARGS__))
#define API(prefix) prefix##DeviceSynchronize()
#define COPY(kind) hipMemcpy##kind
#define TRACED(f) traced_##f
#define FIELD(x) my_cuda_##x
#define PTR(f) static decltype(&f) f##_ptr = f
#define CHECK(call) check((call), #call)

int my_cuda_count = 0;
PTR(hipFree);

bool check(hipError_t e, const char *what) { return e == hipSuccess && what; }
bool fetch(void **p, size_t n) { return OK(RT(Malloc)(p, n)) && TRY(HostMalloc, p, n); }
bool drop(void *p) { return CHECK(hipFree_ptr(p)) && OK(RT(HostFree)(p)); }
bool move(void *d, void *s, size_t n) { return TRY(Memcpy, d, s, n, COPY(DeviceToDevice)); }
RT(Error_t) settle() { FIELD(count)++; return API(hip); }
