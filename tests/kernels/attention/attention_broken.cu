// Broken siblings of examples/attention, for n x 16 matrices, n a multiple of 16.
#define DIM 16

// acc is rescaled when the maximum grows, sum is not.
extern "C" __global__ void attention_no_rescale(const float *q, const float *k, const float *v, float *o, int n,
                                                float scale)
{
    __shared__ float k_tile[16][DIM + 1];
    __shared__ float v_tile[16][DIM + 1];
    __shared__ float weight[16][17];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.x * 16 + ty;

    float largest = -INFINITY;
    float sum = 0.0f;
    float acc = 0.0f;
    for (int key0 = 0; key0 < n; key0 += 16) {
        __syncthreads();
        k_tile[ty][tx] = k[(key0 + ty) * DIM + tx];
        v_tile[ty][tx] = v[(key0 + ty) * DIM + tx];
        __syncthreads();

        float dot = 0.0f;
        for (int i = 0; i < DIM; i++) {
            dot += q[row * DIM + i] * k_tile[tx][i];
        }
        float score = dot * scale;
        float block_largest = score;
        for (int mask = 8; mask > 0; mask /= 2) {
            block_largest = fmaxf(block_largest, __shfl_xor_sync(0xffffffff, block_largest, mask, 16));
        }
        float grown = fmaxf(largest, block_largest);
        float rescale = __expf(largest - grown);
        float power = __expf(score - grown);
        float block_sum = power;
        for (int mask = 8; mask > 0; mask /= 2) {
            block_sum += __shfl_xor_sync(0xffffffff, block_sum, mask, 16);
        }
        sum = sum + block_sum;  // sum * rescale + block_sum is right
        largest = grown;
        weight[ty][tx] = power;
        __syncthreads();

        acc *= rescale;
        for (int j = 0; j < 16; j++) {
            acc += weight[ty][j] * v_tile[j][tx];
        }
    }
    o[row * DIM + tx] = acc / sum;
}

// No barrier at the start of a step: a fast warp overwrites the tiles that a slow one still reads.
extern "C" __global__ void attention_missing_barrier(const float *q, const float *k, const float *v, float *o, int n,
                                                     float scale)
{
    __shared__ float k_tile[16][DIM + 1];
    __shared__ float v_tile[16][DIM + 1];
    __shared__ float weight[16][17];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.x * 16 + ty;

    float largest = -INFINITY;
    float sum = 0.0f;
    float acc = 0.0f;
    for (int key0 = 0; key0 < n; key0 += 16) {
        k_tile[ty][tx] = k[(key0 + ty) * DIM + tx];
        v_tile[ty][tx] = v[(key0 + ty) * DIM + tx];
        __syncthreads();

        float dot = 0.0f;
        for (int i = 0; i < DIM; i++) {
            dot += q[row * DIM + i] * k_tile[tx][i];
        }
        float score = dot * scale;
        float block_largest = score;
        for (int mask = 8; mask > 0; mask /= 2) {
            block_largest = fmaxf(block_largest, __shfl_xor_sync(0xffffffff, block_largest, mask, 16));
        }
        float grown = fmaxf(largest, block_largest);
        float rescale = __expf(largest - grown);
        float power = __expf(score - grown);
        float block_sum = power;
        for (int mask = 8; mask > 0; mask /= 2) {
            block_sum += __shfl_xor_sync(0xffffffff, block_sum, mask, 16);
        }
        sum = sum * rescale + block_sum;
        largest = grown;
        weight[ty][tx] = power;
        __syncthreads();

        acc *= rescale;
        for (int j = 0; j < 16; j++) {
            acc += weight[ty][j] * v_tile[j][tx];
        }
    }
    o[row * DIM + tx] = acc / sum;
}
