// Each CTA normalises one group of channels; 64 threads, shared sums by atomics.
extern "C" __global__ void groupnorm(const float *x, const float *w, const float *b, float *y, int per, int n, float eps) {
    __shared__ float sum, squares;
    int first = blockIdx.x * per * n, count = per * n;
    if (threadIdx.x == 0) sum = 0.0f, squares = 0.0f;
    __syncthreads();
    float s = 0.0f, q = 0.0f;
    for (int i = threadIdx.x; i < count; i += 64) s += x[first + i], q += x[first + i] * x[first + i];
    atomicAdd(&sum, s);
    atomicAdd(&squares, q);
    __syncthreads();
    float mean = sum / count, scale = rsqrtf(squares / count - mean * mean + eps);
    for (int i = threadIdx.x; i < count; i += 64) {
        int channel = blockIdx.x * per + i / n;
        y[first + i] = (x[first + i] - mean) * scale * w[channel] + b[channel];
    }
}
