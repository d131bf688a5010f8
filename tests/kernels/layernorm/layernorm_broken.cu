// Broken siblings of examples/layernorm: one warp a row of 64 elements, two elements a lane.
#define N 64

__device__ __forceinline__ float warp_sum(float value)
{
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2) {
        value += __shfl_xor_sync(0xffffffff, value, mask);
    }
    return value;
}

// Divides the squares by n - 1, as the estimate of a variance from a sample does.
extern "C" __global__ void layernorm_sample_variance(const float *x, const float *weight, const float *bias, float *y,
                                                     float eps)
{
    int lane = threadIdx.x;
    float2 value = *(const float2 *)&x[blockIdx.x * N + lane * 2];
    float mean = warp_sum(value.x + value.y) / N;
    float dx = value.x - mean;
    float dy = value.y - mean;
    float variance = warp_sum(dx * dx + dy * dy) / (N - 1);
    float factor = rsqrtf(variance + eps);
    y[blockIdx.x * N + lane * 2] = dx * factor * weight[lane * 2] + bias[lane * 2];
    y[blockIdx.x * N + lane * 2 + 1] = dy * factor * weight[lane * 2 + 1] + bias[lane * 2 + 1];
}

// Right, but works in place: writes its result over x, which the contract only lets it read.
extern "C" __global__ void layernorm_in_place(float *x, const float *weight, const float *bias, float *y, float eps)
{
    int lane = threadIdx.x;
    float2 value = *(const float2 *)&x[blockIdx.x * N + lane * 2];
    float mean = warp_sum(value.x + value.y) / N;
    float dx = value.x - mean;
    float dy = value.y - mean;
    float variance = warp_sum(dx * dx + dy * dy) / N;
    float factor = rsqrtf(variance + eps);
    x[blockIdx.x * N + lane * 2] = dx;
    y[blockIdx.x * N + lane * 2] = dx * factor * weight[lane * 2] + bias[lane * 2];
    y[blockIdx.x * N + lane * 2 + 1] = dy * factor * weight[lane * 2 + 1] + bias[lane * 2 + 1];
}

// Right: float2 accesses and shuffles.
extern "C" __global__ void layernorm_warp(const float *x, const float *weight, const float *bias, float *y, float eps)
{
    int lane = threadIdx.x;
    float2 value = *(const float2 *)&x[blockIdx.x * N + lane * 2];
    float mean = warp_sum(value.x + value.y) / N;
    float dx = value.x - mean;
    float dy = value.y - mean;
    float variance = warp_sum(dx * dx + dy * dy) / N;
    float factor = rsqrtf(variance + eps);
    y[blockIdx.x * N + lane * 2] = dx * factor * weight[lane * 2] + bias[lane * 2];
    y[blockIdx.x * N + lane * 2 + 1] = dy * factor * weight[lane * 2 + 1] + bias[lane * 2 + 1];
}
