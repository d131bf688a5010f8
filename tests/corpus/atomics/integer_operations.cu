// bits = (and, or, xor), low = (signed min, signed max) of x; high = (min, max) of y; each with what was there before.
extern "C" __global__ void integer_operations(const unsigned *x, const long long *y, unsigned *bits, int *low, long long *high,
                                              int n) {
    for (int i = threadIdx.x; i < n; i += 40) {
        atomicAnd(&bits[0], x[i]);
        atomicOr(&bits[1], x[i]);
        atomicXor(&bits[2], x[i]);
        atomicMin(&low[0], static_cast<int>(x[i]));
        atomicMax(&low[1], static_cast<int>(x[i]));
        atomicMin(&high[0], y[i]);
        atomicMax(&high[1], y[i]);
    }
}
