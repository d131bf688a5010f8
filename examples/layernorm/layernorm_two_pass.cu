// Layer norm of each row of n elements, one CTA of 128 threads a row: the mean, then the variance around it.
#define THREADS 128

__device__ __forceinline__ float block_sum(float value, float *part)
{
    int tid = threadIdx.x;
    part[tid] = value;
    __syncthreads();
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            part[tid] += part[tid + stride];
        }
        __syncthreads();
    }
    float sum = part[0];
    __syncthreads();
    return sum;
}

extern "C" __global__ void layernorm_two_pass(const float *x, const float *weight, const float *bias, float *y,
                                              int n, float eps)
{
    __shared__ float part[THREADS];
    const float *in = x + blockIdx.x * n;
    float *out = y + blockIdx.x * n;

    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += THREADS) {
        sum += in[i];
    }
    float mean = block_sum(sum, part) / n;

    float squares = 0.0f;
    for (int i = threadIdx.x; i < n; i += THREADS) {
        float centred = in[i] - mean;
        squares += centred * centred;
    }
    float variance = block_sum(squares, part) / n;
    float factor = rsqrtf(variance + eps);

    for (int i = threadIdx.x; i < n; i += THREADS) {
        out[i] = (in[i] - mean) * factor * weight[i] + bias[i];
    }
}
