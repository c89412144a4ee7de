// Launches that keep their chevrons: expressions, unknown shapes, preprocessor lines, and what is no launch at all.
#include <hip/hip_runtime.h>
#include <ostream>

__global__ void k(int *p) { p[0] = 1; }
__global__ void k2(int *p, int n) { p[0] = n; }

#define PAIR(n) n, 32
#define ALL(kernel, ...) kernel<<<__VA_ARGS__>>>(p)
#define EXPRESSION k<<<1, 2>>>(p)

struct S { int v; };
std::ostream &operator<<(std::ostream &out, const S &s) { return out << s.v; }

void f(int *p, int n, bool b) {
    b ? k<<<1, 2>>>(p) : k<<<2, 1>>>(p);
    (k<<<1, 2>>>(p), n = 2);
    (void)k<<<1, 2>>>(p);
    for (; n < 3; k<<<1, 2>>>(p)) ++n;
    k<<<PAIR(2)>>>(p);
    ALL(k, 1, 2);
    EXPRESSION;
    k<<<
#ifdef BIG
        1024,
#else
        1,
#endif
        64>>>(p);
    n = n << 2 >> 1;
    return k<<<1, 2>>>(p);
}
