// 'a' - 'A' is 32.
__global__ void upper_case(char *text, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n && text[i] >= 'a' && text[i] <= 'z') text[i] -= 32;
}
