// When all lanes are outside, the loop is skipped; a lane that is outside adds nothing anyway.
__global__ void all_skips_work(const float *depth, float *shade, int lights)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool outside = depth[i] > 0.5f;
    float s = 0.f;
    if (!__all_sync(0xffffffff, outside))
        for (int l = 0; l < lights; ++l)
            if (!outside) s += 1.0f / (1.0f + l + depth[i] * 32.0f);
    shade[i] = s;
}
