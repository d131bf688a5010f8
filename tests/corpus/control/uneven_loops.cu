// y[i] = sum of x[0..i] where i is even, product of 1/2 x over x[i..] steps of 8 where it is odd; 50 threads.
extern "C" __global__ void uneven_loops(const float *x, float *y, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    float v = 0.0f;
    if (i % 2 == 0) {
        for (int k = 0; k <= i; k++) v += x[k];
    } else {
        v = 1.0f;
        for (int k = i; k < n; k += 8) v *= 0.5f * x[k];
    }
    y[i] = v;
}
