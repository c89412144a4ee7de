#pragma once
// y = a * x + y for n elements, on the GPU; x and y are host memory.
void saxpy(int n, float a, const float *x, float *y);
