// y = CRC-32 (reflected, polynomial 0xEDB88320) of the four bytes of x, lowest first.
extern "C" __global__ void crc32(const unsigned *x, unsigned *y, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    unsigned crc = 0xffffffffu ^ x[i];
    for (int k = 0; k < 32; k++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    y[i] = ~crc;
}
