// o = softmax(scale * q @ k^T) @ v for row-major n x DIM matrices, n a multiple of 16, without storing the scores.
// A CTA of 16 x 16 threads computes 16 query rows. It walks over blocks of 16 keys: thread (tx, ty) computes the
// score of row ty and key tx; the 16 threads of a row share a running maximum and a running sum by shuffles,
// and rescale their DIM / 16 output columns each time.
template <int DIM>
__device__ __forceinline__ void attention_tile(const float *__restrict__ q, const float *__restrict__ k,
                                               const float *__restrict__ v, float *__restrict__ o, int n,
                                               float scale, float (*q_tile)[DIM + 1], float (*k_tile)[DIM + 1],
                                               float (*v_tile)[DIM + 1], float (*weight)[17])
{
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.x * 16 + ty;

#pragma unroll
    for (int c = 0; c < DIM / 16; c++) {
        q_tile[ty][tx + 16 * c] = q[row * DIM + tx + 16 * c];
    }

    float largest = -INFINITY;
    float sum = 0.0f;
    float acc[DIM / 16];
#pragma unroll
    for (int c = 0; c < DIM / 16; c++) {
        acc[c] = 0.0f;
    }

    for (int key0 = 0; key0 < n; key0 += 16) {
        __syncthreads();
#pragma unroll
        for (int c = 0; c < DIM / 16; c++) {
            k_tile[ty][tx + 16 * c] = k[(key0 + ty) * DIM + tx + 16 * c];
            v_tile[ty][tx + 16 * c] = v[(key0 + ty) * DIM + tx + 16 * c];
        }
        __syncthreads();

        float dot = 0.0f;
#pragma unroll 8
        for (int i = 0; i < DIM; i++) {
            dot += q_tile[ty][i] * k_tile[tx][i];
        }
        float score = dot * scale;

        float block_largest = score;
#pragma unroll
        for (int mask = 8; mask > 0; mask /= 2) {
            block_largest = fmaxf(block_largest, __shfl_xor_sync(0xffffffff, block_largest, mask, 16));
        }
        float grown = fmaxf(largest, block_largest);
        float rescale = __expf(largest - grown);
        float power = __expf(score - grown);
        float block_sum = power;
#pragma unroll
        for (int mask = 8; mask > 0; mask /= 2) {
            block_sum += __shfl_xor_sync(0xffffffff, block_sum, mask, 16);
        }
        sum = sum * rescale + block_sum;
        largest = grown;
        weight[ty][tx] = power;
        __syncthreads();

#pragma unroll
        for (int c = 0; c < DIM / 16; c++) {
            acc[c] *= rescale;
        }
#pragma unroll 4
        for (int j = 0; j < 16; j++) {
            float w = weight[ty][j];
#pragma unroll
            for (int c = 0; c < DIM / 16; c++) {
                acc[c] += w * v_tile[j][tx + 16 * c];
            }
        }
    }

#pragma unroll
    for (int c = 0; c < DIM / 16; c++) {
        o[row * DIM + tx + 16 * c] = acc[c] / sum;
    }
}

extern "C" __global__ void attention_online_64(const float *__restrict__ q, const float *__restrict__ k,
                                               const float *__restrict__ v, float *__restrict__ o, int n, float scale)
{
    __shared__ float q_tile[16][65];
    __shared__ float k_tile[16][65];
    __shared__ float v_tile[16][65];
    __shared__ float weight[16][17];
    attention_tile<64>(q, k, v, o, n, scale, q_tile, k_tile, v_tile, weight);
}

extern "C" __global__ void attention_online_16(const float *__restrict__ q, const float *__restrict__ k,
                                               const float *__restrict__ v, float *__restrict__ o, int n, float scale)
{
    __shared__ float q_tile[16][17];
    __shared__ float k_tile[16][17];
    __shared__ float v_tile[16][17];
    __shared__ float weight[16][17];
    attention_tile<16>(q, k, v, o, n, scale, q_tile, k_tile, v_tile, weight);
}
