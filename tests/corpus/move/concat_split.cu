// y = x with accesses of 8 bytes, then 4, 2 and 1 for the rest.
extern "C" __global__ void concat_split(const unsigned char *x, unsigned char *y, int n) {
    int whole = n / 8;
    for (int i = threadIdx.x; i < whole; i += 16) {
        reinterpret_cast<unsigned long long *>(y)[i] = reinterpret_cast<const unsigned long long *>(x)[i];
    }
    if (threadIdx.x) return;
    int at = whole * 8;
    if (n & 4) *reinterpret_cast<unsigned *>(y + at) = *reinterpret_cast<const unsigned *>(x + at), at += 4;
    if (n & 2) *reinterpret_cast<unsigned short *>(y + at) = *reinterpret_cast<const unsigned short *>(x + at), at += 2;
    if (n & 1) y[at] = x[at];
}
