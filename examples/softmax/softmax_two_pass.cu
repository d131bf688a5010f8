// Softmax of each row, one CTA of 128 threads a row: the maximum first, then the sum, each by a tree in shared memory.
#define THREADS 128

extern "C" __global__ void softmax_two_pass(const float *x, float *y, int n)
{
    __shared__ float part[THREADS];
    int tid = threadIdx.x;
    const float *in = x + blockIdx.x * n;
    float *out = y + blockIdx.x * n;

    float largest = -INFINITY;
    for (int i = tid; i < n; i += THREADS) {
        largest = fmaxf(largest, in[i]);
    }
    part[tid] = largest;
    __syncthreads();
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            part[tid] = fmaxf(part[tid], part[tid + stride]);
        }
        __syncthreads();
    }
    largest = part[0];
    __syncthreads();

    float sum = 0.0f;
    for (int i = tid; i < n; i += THREADS) {
        sum += expf(in[i] - largest);
    }
    part[tid] = sum;
    __syncthreads();
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            part[tid] += part[tid + stride];
        }
        __syncthreads();
    }
    sum = part[0];

    for (int i = tid; i < n; i += THREADS) {
        out[i] = expf(in[i] - largest) / sum;
    }
}
