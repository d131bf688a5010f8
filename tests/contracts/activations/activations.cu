// Elementwise functions and activations, a thread an element.
#include "../wrong.cuh"

__device__ __forceinline__ int element()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

// y = gelu(x + bias) in its tanh form, a bias a column.
template <Wrong wrong> __device__ void bias_gelu(const float *x, const float *bias, float *y, int rows, int n)
{
    int i = element();
    if (i >= (wrong == MISSING_TAIL ? rows * n / 32 * 32 : rows * n)) return;
    float v = x[i] + bias[wrong == WRONG_AXIS ? i / n : i % n];
    float t = tanh_fast(0.7978845608f * (v + 0.044715f * v * v * v));
    y[i] = (wrong == MISSING_SCALE ? 1.0f : 0.5f) * v * (1.0f + t);
}
#define BIAS_GELU(name, wrong) \
    ENTRY name(const float *x, const float *bias, float *y, int rows, int n) { bias_gelu<wrong>(x, bias, y, rows, n); }
BIAS_GELU(bias_gelu_right, RIGHT)
BIAS_GELU(bias_gelu_wrong_axis, WRONG_AXIS)
BIAS_GELU(bias_gelu_missing_scale, MISSING_SCALE)
BIAS_GELU(bias_gelu_missing_tail, MISSING_TAIL)

// y = silu(gate) up, where a row of x holds the n gates before the n others.
template <Wrong wrong> __device__ void swiglu(const float *x, float *y, int rows, int n)
{
    int i = element();
    if (i >= rows * n) return;
    const float *row = x + (wrong == WRONG_AXIS ? 0 : i / n * 2 * n);
    float gate = row[i % n + (wrong == TRANSPOSED ? n : 0)];
    float up = row[i % n + (wrong == TRANSPOSED ? 0 : n)];
    y[i] = gate / (1.0f + __expf(-gate)) * up;
}
ENTRY swiglu_right(const float *x, float *y, int rows, int n) { swiglu<RIGHT>(x, y, rows, n); }
ENTRY swiglu_transposed(const float *x, float *y, int rows, int n) { swiglu<TRANSPOSED>(x, y, rows, n); }
ENTRY swiglu_wrong_axis(const float *x, float *y, int rows, int n) { swiglu<WRONG_AXIS>(x, y, rows, n); }

// Dropout with a mask that is known: what is kept is scaled by 1 / keep.
template <Wrong wrong> __device__ void dropout(const float *x, const unsigned char *mask, float *y, float keep, int n)
{
    int i = element();
    if (i >= n) return;
    bool kept = wrong == WRONG_MASK ? !mask[i] : mask[i];
    y[i] = kept ? (wrong == MISSING_SCALE ? x[i] : x[i] / keep) : 0.0f;
}
#define DROPOUT(name, wrong) \
    ENTRY name(const float *x, const unsigned char *mask, float *y, float keep, int n) { dropout<wrong>(x, mask, y, keep, n); }
DROPOUT(dropout_right, RIGHT)
DROPOUT(dropout_wrong_mask, WRONG_MASK)
DROPOUT(dropout_missing_scale, MISSING_SCALE)

// y = x clamp(x + 3, 0, 6) / 6.
template <Wrong wrong> __device__ void hard_swish(const float *x, float *y, int n)
{
    int i = element();
    if (i >= (wrong == MISSING_TAIL ? n - 1 : n)) return;
    float gate = fminf(fmaxf(x[i] + 3.0f, 0.0f), 6.0f);
    y[i] = wrong == MISSING_SCALE ? x[i] * gate : x[i] * gate / 6.0f;
}
ENTRY hard_swish_right(const float *x, float *y, int n) { hard_swish<RIGHT>(x, y, n); }
ENTRY hard_swish_missing_scale(const float *x, float *y, int n) { hard_swish<MISSING_SCALE>(x, y, n); }
ENTRY hard_swish_missing_tail(const float *x, float *y, int n) { hard_swish<MISSING_TAIL>(x, y, n); }

// y = log(1 + e^(beta x)) / beta.
template <Wrong wrong> __device__ void softplus(const float *x, float *y, float beta, int n)
{
    int i = element();
    if (i >= n) return;
    float value = __logf(1.0f + __expf(beta * x[i]));
    y[i] = wrong == MISSING_SCALE ? value : value / beta;
}
ENTRY softplus_right(const float *x, float *y, float beta, int n) { softplus<RIGHT>(x, y, beta, n); }
ENTRY softplus_missing_scale(const float *x, float *y, float beta, int n) { softplus<MISSING_SCALE>(x, y, beta, n); }

// y = a x, four elements a thread, and what is left of them one by one.
template <Wrong wrong> __device__ void scale_float4(const float *x, float *y, float a, int n)
{
    int i = element();
    if (i < n / 4) {
        float4 v = ((const float4 *)x)[i];
        ((float4 *)y)[i] = make_float4(a * v.x, a * v.y, a * v.z, a * v.w);
    }
    if (wrong != MISSING_TAIL && i < n % 4) y[n / 4 * 4 + i] = a * x[n / 4 * 4 + i];
}
ENTRY scale_float4_right(const float *x, float *y, float a, int n) { scale_float4<RIGHT>(x, y, a, n); }
ENTRY scale_float4_missing_tail(const float *x, float *y, float a, int n) { scale_float4<MISSING_TAIL>(x, y, a, n); }

// y = x + a r, where x and y are the same memory. The wrong sibling reads the element of the next thread.
template <Wrong wrong> __device__ void residual(const float *x, const float *r, float *y, float a, int n)
{
    int i = element();
    if (i >= n) return;
    y[i] = x[wrong == WRONG_AXIS ? (i + 1) % n : i] + a * r[i];
}
ENTRY residual_right(const float *x, const float *r, float *y, float a, int n) { residual<RIGHT>(x, r, y, a, n); }
ENTRY residual_neighbour(const float *x, const float *r, float *y, float a, int n) { residual<WRONG_AXIS>(x, r, y, a, n); }

// What a bias, GELU in its sigmoid form and dropout with a known mask are in one kernel.
template <Wrong wrong>
__device__ void fused(const float *x, const float *bias, const unsigned char *mask, float *y, float keep, int rows, int n)
{
    int i = element();
    if (i >= (wrong == MISSING_TAIL ? rows * n - 1 : rows * n)) return;
    float v = x[i] + bias[wrong == WRONG_AXIS ? i / n : i % n];
    float z = v / (1.0f + __expf((wrong == MISSING_SCALE ? -1.0f : -1.702f) * v));
    y[i] = mask[wrong == WRONG_MASK ? i % n : i] ? z / keep : 0.0f;
}
#define FUSED(name, wrong) \
    ENTRY name(const float *x, const float *bias, const unsigned char *mask, float *y, float keep, int rows, int n) \
    { \
        fused<wrong>(x, bias, mask, y, keep, rows, n); \
    }
FUSED(fused_right, RIGHT)
FUSED(fused_wrong_axis, WRONG_AXIS)
FUSED(fused_missing_scale, MISSING_SCALE)
FUSED(fused_wrong_mask, WRONG_MASK)
FUSED(fused_missing_tail, MISSING_TAIL)
