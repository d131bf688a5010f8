// With v = 77777 (y - 20): r = (v / 7, v % 7, v / 1000, v / -16).
extern "C" __global__ void divide_constants_known(const int *y, int4 *r, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    int v = 77777 * (y[i] - 20);
    r[i] = make_int4(v / 7, v % 7, v / 1000, v / -16);
}
