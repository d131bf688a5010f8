// y = bytes in reverse order, z = bytes of each half-word swapped, by shifts and masks.
extern "C" __global__ void byte_swap(const unsigned *x, unsigned *y, unsigned *z, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    unsigned v = x[i];
    y[i] = v >> 24 | (v >> 8 & 0xff00u) | (v << 8 & 0xff0000u) | v << 24;
    z[i] = (v & 0x00ff00ffu) << 8 | (v >> 8 & 0x00ff00ffu);
}
