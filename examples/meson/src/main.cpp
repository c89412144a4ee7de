#include <cstdio>
#include <vector>

#include "saxpy.h"

int main() {
    std::vector<float> x(1000, 1.0f), y(1000, 2.0f);
    saxpy(1000, 3.0f, x.data(), y.data());
    std::printf("%g\n", y[0]);
    return y[0] == 5.0f ? 0 : 1;
}
