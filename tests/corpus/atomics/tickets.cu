// Every thread counts with inc (wrapping after 9) and with dec (wrapping to 5); the ticket is not used.
extern "C" __global__ void tickets(unsigned *counter, unsigned *last) {
    atomicInc(&counter[0], 9u);
    atomicDec(&counter[1], 5u);
    if (threadIdx.x == 0) atomicExch(last, atomicCAS(last, 7u, 11u) + 1u);
}
