// Sum of 256 * k floats per CTA: shuffles within each of the 8 warps, then one warp adds the 8 partial sums.
extern "C" __global__ void reduce_shuffle(const float *__restrict__ x, float *__restrict__ y, int k)
{
    __shared__ float part[8];
    int tid = threadIdx.x;
    int lane = tid % 32;
    int warp = tid / 32;
    const float *mine = x + blockIdx.x * 256 * k;

    // Thread t owns k neighbouring elements: another order of addition than the tree's.
    float sum = 0.0f;
    for (int i = 0; i < k; i++) {
        sum += mine[tid * k + i];
    }

    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (lane == 0) {
        part[warp] = sum;
    }
    __syncthreads();

    if (warp == 0) {
        float total = 0.0f;
        if (lane < 8) {
            total = part[lane];
        }
        for (int offset = 4; offset > 0; offset /= 2) {
            total += __shfl_down_sync(0xffffffff, total, offset);
        }
        if (lane == 0) {
            y[blockIdx.x] = total;
        }
    }
}
