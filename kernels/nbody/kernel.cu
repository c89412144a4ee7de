// All-pairs gravity with softening; positions carry the mass in w. No cuda_runtime.h here: nvcc includes it.
#include <cstddef>

namespace nbody {

struct Body { float4 position; float4 velocity; };

__device__ float3 interaction(float3 acceleration, float4 a, float4 b, float softening2)
{
    const float3 r = make_float3(b.x - a.x, b.y - a.y, b.z - a.z);
    const float d2 = r.x * r.x + r.y * r.y + r.z * r.z + softening2;
    const float inv = rsqrtf(d2);
    const float s = b.w * inv * inv * inv;
    acceleration.x += r.x * s;
    acceleration.y += r.y * s;
    acceleration.z += r.z * s;
    return acceleration;
}

__global__ void integrate(const Body *in, Body *out, int n, float dt, float softening2)
{
    extern __shared__ float4 positions[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = i < n ? in[i].position : make_float4(0, 0, 0, 0);
    float3 acceleration = make_float3(0, 0, 0);

    for (int tile = 0; tile < gridDim.x; tile++) {
        const int j = tile * blockDim.x + threadIdx.x;
        positions[threadIdx.x] = j < n ? in[j].position : make_float4(0, 0, 0, 0);
        __syncthreads();
        #pragma unroll 8
        for (int k = 0; k < blockDim.x; k++)
            acceleration = interaction(acceleration, me, positions[k], softening2);
        __syncthreads();
    }

    if (i < n) {
        Body b = in[i];
        b.velocity.x += acceleration.x * dt;
        b.velocity.y += acceleration.y * dt;
        b.velocity.z += acceleration.z * dt;
        b.position.x += b.velocity.x * dt;
        b.position.y += b.velocity.y * dt;
        b.position.z += b.velocity.z * dt;
        out[i] = b;
    }
}

class Simulation {
public:
    explicit Simulation(int n) : n_(n)
    {
        for (auto &buffer : buffers_)
            if (cudaMalloc(&buffer, n * sizeof(Body)) != cudaSuccess) buffer = nullptr;
    }
    ~Simulation()
    {
        for (auto *buffer : buffers_) cudaFree(buffer);
    }
    Simulation(const Simulation &) = delete;
    Simulation &operator=(const Simulation &) = delete;

    cudaError_t upload(const Body *bodies)
    {
        return ::cudaMemcpy(buffers_[current_], bodies, n_ * sizeof(Body), ::cudaMemcpyHostToDevice);
    }
    cudaError_t download(Body *bodies) const
    {
        return ::cudaMemcpy(bodies, buffers_[current_], n_ * sizeof(Body), ::cudaMemcpyDeviceToHost);
    }

    cudaError_t step(float dt, float softening)
    {
        const int threads = 128;
        const int blocks = (n_ + threads - 1) / threads;
        integrate<<<blocks, threads, threads * sizeof(float4)>>>(
            buffers_[current_], buffers_[1 - current_],
            n_, dt, softening * softening  // softened, so that a body does not attract itself
        );
        current_ = 1 - current_;
        return cudaGetLastError();
    }

private:
    Body *buffers_[2] = {nullptr, nullptr};
    int n_ = 0;
    int current_ = 0;
};

}  // namespace nbody

int nbody_run(nbody::Body *bodies, int n, int steps, float dt, float softening)
{
    nbody::Simulation simulation(n);
    if (simulation.upload(bodies) != cudaSuccess) return -1;
    for (int i = 0; i < steps; ++i)
        if (simulation.step(dt, softening) != cudaSuccess) return -2;
    return simulation.download(bodies) == cudaSuccess ? 0 : -3;
}
