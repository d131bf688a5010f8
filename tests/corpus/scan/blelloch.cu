// y[i] = x[0] + ... + x[i-1], two elements a thread.
extern "C" __global__ void blelloch(const float *x, float *y, int n) {
    __shared__ float s[128];
    int t = threadIdx.x, stride = 1;
    for (int k = t; k < 128; k += 64) s[k] = k < n ? x[k] : 0.0f;
    for (int pairs = 64; pairs > 0; pairs /= 2, stride *= 2) {
        __syncthreads();
        if (t < pairs) s[stride * (2 * t + 2) - 1] += s[stride * (2 * t + 1) - 1];
    }
    if (t == 0) s[127] = 0.0f;
    for (int pairs = 1; pairs < 128; pairs *= 2) {
        stride /= 2;
        __syncthreads();
        if (t < pairs) {
            int left = stride * (2 * t + 1) - 1, right = stride * (2 * t + 2) - 1;
            float v = s[left];
            s[left] = s[right];
            s[right] += v;
        }
    }
    __syncthreads();
    for (int k = t; k < n; k += 64) y[k] = s[k];
}
