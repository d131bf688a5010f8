"""The machine's address space: numbers of regions, each a window of 2^32 bytes."""

from __future__ import annotations

# Address space of the machine: an address is (region << 32) + offset in the region.
REGION_SHIFT = 32
SHARED_REGION = 1
LOCAL_REGION = 2  # each thread has its own memory at the same addresses
CONST_REGION = 3  # module-scope .const variables, one region
GLOBAL_VARIABLES_REGION = 4  # module-scope .global variables, one region
FUNCTION_REGION = 5  # where functions lie: addresses that no access may have
FIRST_TENSOR_REGION = 16
# Tensors lie a prime number of regions apart: an address that is off by a small multiple of 4 GiB meets no other tensor.
_REGION_STRIDE = 4099


def tensor_region(tensor: int) -> int:
    """The region of tensor i of the launch (an alias lies in the region of the tensor whose memory it shares)."""
    return FIRST_TENSOR_REGION + _REGION_STRIDE * tensor
