// A matrix product c = a b of n x n floats by one CTA of any size: thread t computes elements t, t + blockDim.x, ...
// With one thread it is the slowest way to run a SIMT machine, with 128 threads it is the usual way.

extern "C" __global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    for (int e = threadIdx.x; e < n * n; e += blockDim.x) {
        int row = e / n, column = e % n;
        float sum = 0.0f;
        for (int k = 0; k < n; k++) {
            sum += a[row * n + k] * b[k * n + column];
        }
        c[e] = sum;
    }
}
