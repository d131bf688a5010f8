// y[r] = softmax of row r of x (rows x n): a block a row, any n. The maximum and the sum go from lane to lane by shuffles, then
// from warp to warp through shared memory.
#define WARP 32
#define FULL 0xffffffffu

__device__ float warp_max(float v)
{
    for (int offset = WARP / 2; offset > 0; offset /= 2) {
        v = fmaxf(v, __shfl_xor_sync(FULL, v, offset));
    }
    return v;
}

__device__ float warp_sum(float v)
{
    for (int offset = WARP / 2; offset > 0; offset /= 2) {
        v += __shfl_xor_sync(FULL, v, offset);
    }
    return v;
}

extern "C" __global__ void softmax_block(const float *x, float *y, int n)
{
    __shared__ float part[WARP];
    int lane = threadIdx.x % WARP;
    int warp = threadIdx.x / WARP;
    int warps = blockDim.x / WARP;
    x += (long long)blockIdx.x * n;
    y += (long long)blockIdx.x * n;

    float top = -INFINITY;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        top = fmaxf(top, x[i]);
    }
    top = warp_max(top);
    if (lane == 0) {
        part[warp] = top;
    }
    __syncthreads();
    top = warp_max(lane < warps ? part[lane] : -INFINITY);
    __syncthreads();  // part is used again below

    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        sum += expf(x[i] - top);
    }
    sum = warp_sum(sum);
    if (lane == 0) {
        part[warp] = sum;
    }
    __syncthreads();
    sum = warp_sum(lane < warps ? part[lane] : 0.0f);

    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        y[i] = expf(x[i] - top) / sum;
    }
}
