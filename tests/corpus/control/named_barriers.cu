// Warp 1 fills a buffer, warp 0 empties it; barrier 1 says full, barrier 2 empty.
extern "C" __global__ void named_barriers(const float *x, float *y, int steps) {
    __shared__ float buffer[32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int s = 0; s < steps; s++) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            y[s * 32 + lane] = buffer[31 - lane];
            asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    } else {
        for (int s = 0; s < steps; s++) {
            if (s) asm volatile("bar.sync 2, 64;" ::: "memory");
            buffer[lane] = x[s * 32 + lane] * 2.0f;
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        }
        asm volatile("bar.sync 2, 64;" ::: "memory");
    }
}
