// q = (x / 3, x / 7, x % 10, x / 641), r = (y / 8, y % 8, y / -5, y % 100), compiled to multiplications.
extern "C" __global__ void divide_constants(const unsigned *x, const int *y, uint4 *q, int4 *r, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    q[i] = make_uint4(x[i] / 3, x[i] / 7, x[i] % 10, x[i] / 641);
    r[i] = make_int4(y[i] / 8, y[i] % 8, y[i] / -5, y[i] % 100);
}
