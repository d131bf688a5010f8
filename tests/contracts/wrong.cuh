// The ways in which the wrong siblings of a kernel are wrong. Each kernel of tests/contracts is written once, as a template over
// one of them, so that a right kernel and its siblings differ in one place.
#pragma once

enum Wrong { RIGHT, WRONG_AXIS, MISSING_SCALE, WRONG_MASK, WRONG_EPSILON, TRANSPOSED, MISSING_TAIL, IGNORED_PADDING };

#define ENTRY extern "C" __global__ void
// The elements i < n of a lane, without the copies of the body that the compiler makes of longer loops.
#define EACH(i, n) _Pragma("unroll 1") for (int i = threadIdx.x; i < (n); i += 32)
// A loop over i < n as it stands.
#define LOOP(i, n) _Pragma("unroll 1") for (int i = 0; i < (n); i++)

__device__ __forceinline__ float warp_sum(float value)
{
    for (int mask = 16; mask > 0; mask /= 2) {
        value += __shfl_xor_sync(0xffffffff, value, mask);
    }
    return value;
}

__device__ __forceinline__ float warp_max(float value)
{
    for (int mask = 16; mask > 0; mask /= 2) {
        value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, mask));
    }
    return value;
}

// The instruction of sm_75 and later; tanhf branches on its argument.
__device__ __forceinline__ float tanh_fast(float x)
{
    float y;
    asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
