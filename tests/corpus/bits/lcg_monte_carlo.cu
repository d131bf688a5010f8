// Each of 48 threads draws points of a 16-bit square and counts those inside the quarter circle; all is known.
extern "C" __global__ void lcg_monte_carlo(const unsigned *seed, unsigned *hits, unsigned *state, int steps) {
    unsigned s = seed[threadIdx.x] * 747796405u + 1u, inside = 0;
    for (int k = 0; k < steps; k++) {
        s = s * 1664525u + 1013904223u;
        unsigned x = s >> 16;
        s = s * 1664525u + 1013904223u;
        unsigned long long y = s >> 16;
        inside += static_cast<unsigned long long>(x) * x + y * y < 4294967296ull;
    }
    hits[threadIdx.x] = inside;
    state[threadIdx.x] = s;
}
