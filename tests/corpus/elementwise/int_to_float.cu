// y = b + w / 2, z = i + l / 4 as doubles; both exact for what fits.
extern "C" __global__ void int_to_float(const signed char *b, const unsigned short *w, const int *i, const long long *l,
                                        float *y, double *z, int n) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n) return;
    y[k] = static_cast<float>(b[k]) + 0.5f * static_cast<float>(w[k]);
    z[k] = static_cast<double>(i[k]) + 0.25 * static_cast<double>(l[k]);
}
