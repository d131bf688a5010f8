// Softmax of each row, one warp a row: every lane keeps a running maximum and a sum that it rescales
// when the maximum grows; shuffles combine the lanes.
extern "C" __global__ void softmax_online(const float *__restrict__ x, float *__restrict__ y, int n)
{
    int lane = threadIdx.x;
    const float *in = x + blockIdx.x * n;
    float *out = y + blockIdx.x * n;

    float largest = -INFINITY;
    float sum = 0.0f;
    for (int i = lane; i < n; i += 32) {
        float value = in[i];
        float grown = fmaxf(largest, value);
        sum = sum * __expf(largest - grown) + __expf(value - grown);
        largest = grown;
    }

    // The maximum of all lanes is finite, so a lane without elements rescales by exp(-inf) = 0.
    float row_largest = largest;
    for (int mask = 16; mask > 0; mask /= 2) {
        row_largest = fmaxf(row_largest, __shfl_xor_sync(0xffffffff, row_largest, mask));
    }
    sum *= __expf(largest - row_largest);
    for (int mask = 16; mask > 0; mask /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, mask);
    }

    for (int i = lane; i < n; i += 32) {
        out[i] = __expf(in[i] - row_largest) / sum;
    }
}
