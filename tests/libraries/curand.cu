// Pi by Monte Carlo, twice: numbers from the host API, and numbers drawn inside the kernel.
#include <cstdio>
#include <cstdlib>
#include <curand.h>
#include <curand_kernel.h>

static void require(curandStatus_t status, int line) {
    if (status == CURAND_STATUS_SUCCESS) return;
    fprintf(stderr, "line %d: cuRAND says %d\n", line, static_cast<int>(status));
    exit(1);
}
#define RAND(call) require(call, __LINE__)

__global__ void setup(curandState *states, unsigned long long seed) {
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curand_init(seed, id, 0, &states[id]);
}

__global__ void count_inside(curandState *states, int tries, unsigned int *inside) {
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curandState local = states[id];
    unsigned int hits = 0;
    for (int i = 0; i < tries; ++i) {
        float x = curand_uniform(&local);
        float y = curand_uniform(&local);
        hits += x * x + y * y < 1.0f;
    }
    atomicAdd(inside, hits);
    states[id] = local;
}

__global__ void normals(float4 *out, float2 *pairs, double *doubles, unsigned int *poisson, int n) {
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curandStatePhilox4_32_10_t state;
    curand_init(42ULL, id, 0, &state);
    if (id < n) {
        out[id] = curand_normal4(&state);
        pairs[id] = curand_normal2(&state);
        doubles[id] = curand_uniform_double(&state);
        poisson[id] = curand_poisson(&state, 4.0) + curand(&state) % 2;
        skipahead(8ULL, &state);
    }
}

int main() {
    const int blocks = 64, threads = 256, n = 1 << 16;
    curandState *states;
    unsigned int *inside, hits = 0;
    cudaMalloc((void **)&states, blocks * threads * sizeof(curandState));
    cudaMalloc((void **)&inside, sizeof(unsigned int));
    cudaMemset(inside, 0, sizeof(unsigned int));
    setup<<<blocks, threads>>>(states, 1234ULL);
    count_inside<<<blocks, threads>>>(states, 1000, inside);
    cudaMemcpy(&hits, inside, sizeof(hits), cudaMemcpyDeviceToHost);
    printf("pi is about %f\n", 4.0 * hits / (1000.0 * blocks * threads));

    float *numbers;
    unsigned int *words;
    curandGenerator_t generator;
    cudaMalloc((void **)&numbers, n * sizeof(float));
    cudaMalloc((void **)&words, n * sizeof(unsigned int));
    RAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MTGP32));
    RAND(curandSetPseudoRandomGeneratorSeed(generator, 1234ULL));
    RAND(curandSetStream(generator, 0));
    RAND(curandGenerate(generator, words, n));
    RAND(curandGenerateUniform(generator, numbers, n));
    RAND(curandGenerateNormal(generator, numbers, n, 0.0f, 1.0f));
    RAND(curandGenerateLogNormal(generator, numbers, n, 0.0f, 1.0f));
    RAND(curandGeneratePoisson(generator, words, n, 3.0));
    RAND(curandDestroyGenerator(generator));
    RAND(curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32));
    RAND(curandSetQuasiRandomGeneratorDimensions(generator, 2));
    RAND(curandDestroyGenerator(generator));
    cudaFree(numbers);
    cudaFree(words);
    cudaFree(inside);
    cudaFree(states);
    return 0;
}
