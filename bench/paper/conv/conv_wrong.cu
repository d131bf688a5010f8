// The earlier version, and two with a bug.
#include "conv.cuh"

ENTRY(conv_gemm_earlier, 4, RIGHT)
ENTRY(conv_gemm_no_left_border, 2, NO_LEFT_BORDER)
ENTRY(conv_gemm_no_barrier, 2, NO_BARRIER)
