// y = gcd(60 x, x^2 + 84): loops of different lengths in one warp.
extern "C" __global__ void gcd(const unsigned *x, unsigned *y, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    unsigned a = 60u * x[i], b = x[i] * x[i] + 84u;
    while (b) {
        unsigned r = a % b;
        a = b;
        b = r;
    }
    y[i] = a;
}
