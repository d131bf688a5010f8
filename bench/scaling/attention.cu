// The paper's pair of attentions (one thread without a maximum, FlashAttention-1), for twice the keys.
#define MAX_KEYS 1024
#include "../paper/attention/attention.cu"
#include "../paper/attention/fa1.cu"
