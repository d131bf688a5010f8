// y = x through two rounds of shift, xor and multiplication; g = Gray code of x.
extern "C" __global__ void hash_mix(const unsigned long long *x, unsigned long long *y, unsigned long long *g, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    unsigned long long v = x[i];
    v = (v ^ v >> 33) * 0xff51afd7ed558ccdull;
    v = (v ^ v >> 33) * 0xc4ceb9fe1a85ec53ull;
    y[i] = v ^ v >> 33;
    g[i] = x[i] ^ x[i] >> 1;
}
