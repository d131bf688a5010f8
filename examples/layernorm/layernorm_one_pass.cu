// Layer norm of each row of 128 elements, one warp a row, four elements a lane: E[x^2] - mean^2 in one pass.
#define N 128

extern "C" __global__ void layernorm_one_pass(const float *__restrict__ x, const float *__restrict__ weight,
                                              const float *__restrict__ bias, float *__restrict__ y, float eps)
{
    int lane = threadIdx.x;
    int first = lane * 4;
    float4 value = *(const float4 *)&x[blockIdx.x * N + first];
    float4 w = *(const float4 *)&weight[first];
    float4 b = *(const float4 *)&bias[first];

    float sum = value.x + value.y + value.z + value.w;
    float squares = value.x * value.x + value.y * value.y + value.z * value.z + value.w * value.w;
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, mask);
        squares += __shfl_xor_sync(0xffffffff, squares, mask);
    }

    // 128 is a power of two, so the reciprocal is exact.
    float mean = sum * (1.0f / N);
    float variance = squares * (1.0f / N) - mean * mean;
    float factor = 1.0f / sqrtf(variance + eps);

    float4 result;
    result.x = (value.x - mean) * factor * w.x + b.x;
    result.y = (value.y - mean) * factor * w.y + b.y;
    result.z = (value.z - mean) * factor * w.z + b.z;
    result.w = (value.w - mean) * factor * w.w + b.w;
    *(float4 *)&y[blockIdx.x * N + first] = result;
}
