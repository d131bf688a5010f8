// GELU in the form with tanh, 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), with the tanhf that the compiler puts in.
enum Wrong { RIGHT, SQUARE, NEIGHBOUR };

__device__ __forceinline__ float gelu_of(float x)
{
    return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

// A thread an element.
extern "C" __global__ void gelu_scalar(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = gelu_of(x[i]);
}

// Four elements a thread, with x taken out of the argument.
template <Wrong wrong> __device__ __forceinline__ float gelu_factored(float x)
{
    float inner = 0.7978845608f * x * (1.0f + 0.044715f * x * (wrong == SQUARE ? 1.0f : x));
    float half = 0.5f * x;
    return half + half * tanhf(inner);
}
template <Wrong wrong> __device__ __forceinline__ void vectorised(const float *x, float *y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 v = *(const float4 *)&x[i];
        *(float4 *)&y[i] = make_float4(gelu_factored<wrong>(v.x), gelu_factored<wrong>(v.y), gelu_factored<wrong>(v.z),
                                       gelu_factored<wrong>(wrong == NEIGHBOUR ? v.z : v.w));
    } else {
        for (; i < n; i++) y[i] = gelu_factored<wrong>(x[i]);
    }
}
extern "C" __global__ void gelu_float4(const float *x, float *y, int n) { vectorised<RIGHT>(x, y, n); }
extern "C" __global__ void gelu_float4_square(const float *x, float *y, int n) { vectorised<SQUARE>(x, y, n); }
extern "C" __global__ void gelu_float4_neighbour(const float *x, float *y, int n) { vectorised<NEIGHBOUR>(x, y, n); }
