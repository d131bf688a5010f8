// y = (any x mod 40 = 0, all x < 96, ballot of x mod 3 = 0, whether x / 64 is the same in all lanes).
extern "C" __global__ void votes(const int *x, uint4 *y) {
    int i = blockIdx.x * 32 + threadIdx.x, v = x[i], same;
    __match_all_sync(0xffffffff, v / 64, &same);
    y[i] = make_uint4(__any_sync(0xffffffff, v % 40 == 0) != 0, __all_sync(0xffffffff, v < 96) != 0,
                      __ballot_sync(0xffffffff, v % 3 == 0), same);
}
