// Mean and variance of a row; lanes merge their (count, mean, m2) by shuffles. n is at least 32.
extern "C" __global__ void welford(const float *x, float *mean, float *var, int n) {
    float count = 0.0f, m = 0.0f, m2 = 0.0f;
    for (int c = threadIdx.x; c < n; c += 32) {
        float v = x[blockIdx.x * n + c];
        count += 1.0f;
        float d = v - m;
        m += d / count;
        m2 += d * (v - m);
    }
    for (int mask = 16; mask > 0; mask /= 2) {
        float oc = __shfl_xor_sync(0xffffffff, count, mask);
        float om = __shfl_xor_sync(0xffffffff, m, mask);
        float o2 = __shfl_xor_sync(0xffffffff, m2, mask);
        float total = count + oc, d = om - m;
        m = (count * m + oc * om) / total;
        m2 = m2 + o2 + d * d * count * oc / total;
        count = total;
    }
    if (threadIdx.x == 0) mean[blockIdx.x] = m, var[blockIdx.x] = m2 / count;
}
