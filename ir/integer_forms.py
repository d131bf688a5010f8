"""Rows of the instruction table for integers and bits: arithmetic, logic, comparison, selection, conversion, moves."""

from __future__ import annotations

from volta_pipe.ir.operations import BITS, FLOATS, HALVES, INT16, INT32, INT64, INTS, PAIRS, Form, Op
from volta_pipe.ir.operations import form as _form

SETP = "p=T,T p,p=T,T p=T,T,p p,p=T,T,p"
_SIGNED = ("s16", "s32", "s64")
_UNSIGNED = ("u16", "u32", "u64")
_WORDS = (*INT32, *INT64)
_HALVES = ("s16x2", "u16x2")
_EQUAL = "eq ne and or xor"
_ORDER = f"{_EQUAL} lt le gt ge"
_UNSIGNED_ORDER = f"{_ORDER} lo ls hi hs"
_ANY_ORDER = f"{_UNSIGNED_ORDER} equ neu ltu leu gtu geu num nan"
_MODE = "f4e b4e rc8 ecl ecr rc16"

INTEGER_FORMS: tuple[Form, ...] = (
    # 9.7.1 integer arithmetic
    _form("add", INTS, "T=T,T", Op.ADD, "9.7.1.1"),
    _form("add", ("s32",), "T=T,T", Op.ADD_SAT, "9.7.1.1", need="sat"),
    _form("add", _HALVES, "T=T,T", Op.ADD_X2, "9.7.1.1"),
    _form("sub", INTS, "T=T,T", Op.SUB, "9.7.1.2"),
    _form("sub", ("s32",), "T=T,T", Op.ADD_SAT, "9.7.1.2", need="sat"),
    _form("mul", INTS, "T=T,T", Op.MUL_LO, "9.7.1.3", need="lo"),
    _form("mul", INTS, "T=T,T", Op.MUL_HI, "9.7.1.3", need="hi"),
    _form("mul", (*INT16, *INT32), "W=T,T", Op.MUL_WIDE, "9.7.1.3", need="wide"),
    _form("mad", INTS, "T=T,T,T", Op.MAD_LO, "9.7.1.4", need="lo"),
    _form("mad", INTS, "T=T,T,T", Op.MAD_HI, "9.7.1.4", need="hi"),
    _form("mad", ("s32",), "T=T,T,T", Op.MAD_HI_SAT, "9.7.1.4", need="hi sat"),
    _form("mad", (*INT16, *INT32), "W=T,T,W", Op.MAD_WIDE, "9.7.1.4", need="wide"),
    _form("mul24", INT32, "T=T,T", Op.MUL24, "9.7.1.5", need="lo"),
    _form("mul24", INT32, "T=T,T", Op.MUL24, "9.7.1.5", need="hi"),
    _form("mad24", INT32, "T=T,T,T", Op.MAD24, "9.7.1.6", need="lo"),
    _form("mad24", INT32, "T=T,T,T", Op.MAD24, "9.7.1.6", need="hi"),
    _form("mad24", ("s32",), "T=T,T,T", Op.MAD24, "9.7.1.6", need="hi sat"),
    _form("sad", INTS, "T=T,T,T", Op.SAD, "9.7.1.7"),
    _form("div", INTS, "T=T,T", Op.DIV, "9.7.1.8"),
    _form("rem", INTS, "T=T,T", Op.REM, "9.7.1.9"),
    _form("abs", _SIGNED, "T=T", Op.ABS, "9.7.1.10"),
    _form("neg", _SIGNED, "T=T", Op.NEG, "9.7.1.11"),
    _form("min", INTS, "T=T,T", Op.MIN, "9.7.1.12"),
    _form("min", ("s32",), "T=T,T", Op.MIN_RELU, "9.7.1.12", need="relu"),
    _form("min", _HALVES, "T=T,T", Op.MIN_X2, "9.7.1.12"),
    _form("min", ("s16x2",), "T=T,T", Op.MIN_X2, "9.7.1.12", need="relu"),
    _form("max", INTS, "T=T,T", Op.MAX, "9.7.1.13"),
    _form("max", ("s32",), "T=T,T", Op.MAX_RELU, "9.7.1.13", need="relu"),
    _form("max", _HALVES, "T=T,T", Op.MAX_X2, "9.7.1.13"),
    _form("max", ("s16x2",), "T=T,T", Op.MAX_X2, "9.7.1.13", need="relu"),
    _form("popc", ("b32", "b64"), "u=T", Op.POPC, "9.7.1.14"),
    _form("clz", ("b32", "b64"), "u=T", Op.CLZ, "9.7.1.15"),
    _form("bfind", _WORDS, "u=T", Op.BFIND, "9.7.1.16", may="shiftamt"),
    _form("fns", ("b32",), "T=T,u,u", Op.FNS, "9.7.1.17"),
    _form("brev", ("b32", "b64"), "T=T", Op.BREV, "9.7.1.18"),
    _form("bfe", _WORDS, "T=T,u,u", Op.BFE, "9.7.1.19"),
    _form("bfi", ("b32", "b64"), "T=T,T,u,u", Op.BFI, "9.7.1.20"),
    _form("szext", INT32, "T=T,u", Op.SZEXT, "9.7.1.21", may="clamp wrap"),
    _form("bmsk", ("b32",), "T=T,T", Op.BMSK, "9.7.1.22", may="clamp wrap"),
    _form("dp4a", INT32, "u=T,U,u", Op.DP4A, "9.7.1.23"),
    _form("dp2a", INT32, "u=T,U,u", Op.DP2A, "9.7.1.24", need="lo"),
    _form("dp2a", INT32, "u=T,U,u", Op.DP2A, "9.7.1.24", need="hi"),
    # 9.7.2 extended precision
    _form("add", _WORDS, "T,p=T,T", Op.ADDC, "9.7.2.1", need="cc"),
    _form("addc", _WORDS, "T=T,T,p", Op.ADDC, "9.7.2.2"),
    _form("addc", _WORDS, "T,p=T,T,p", Op.ADDC, "9.7.2.2", need="cc"),
    _form("sub", _WORDS, "T,p=T,T", Op.ADDC, "9.7.2.3", need="cc"),
    _form("subc", _WORDS, "T=T,T,p", Op.ADDC, "9.7.2.4"),
    _form("subc", _WORDS, "T,p=T,T,p", Op.ADDC, "9.7.2.4", need="cc"),
    _form("mad", _WORDS, "T,p=T,T,T", Op.MADC, "9.7.2.5", need="lo cc"),
    _form("mad", _WORDS, "T,p=T,T,T", Op.MADC, "9.7.2.5", need="hi cc"),
    _form("madc", _WORDS, "T=T,T,T,p", Op.MADC, "9.7.2.6", need="lo"),
    _form("madc", _WORDS, "T=T,T,T,p", Op.MADC, "9.7.2.6", need="hi"),
    _form("madc", _WORDS, "T,p=T,T,T,p", Op.MADC, "9.7.2.6", need="lo cc"),
    _form("madc", _WORDS, "T,p=T,T,T,p", Op.MADC, "9.7.2.6", need="hi cc"),
    # 9.7.6 comparison and selection
    _form("set", (*INT16, *INT32, "f32", *HALVES, *PAIRS), "T=U,U T=U,U,p", Op.SET, "9.7.6.1", may=f"{_ANY_ORDER} ftz"),
    _form("setp", BITS, SETP, Op.SETP, "9.7.6.2", may=_EQUAL),
    _form("setp", _SIGNED, SETP, Op.SETP, "9.7.6.2", may=_ORDER),
    _form("setp", _UNSIGNED, SETP, Op.SETP, "9.7.6.2", may=_UNSIGNED_ORDER),
    _form("selp", (*BITS, *INTS, *FLOATS), "T=T,T,p", Op.SELP, "9.7.6.3"),
    _form("slct", (*BITS, *INTS, *FLOATS), "T=T,T,U", Op.SLCT, "9.7.6.4", may="ftz"),
    # 9.7.8 logic and shift
    _form("and", (*BITS, "pred"), "T=T,T", Op.AND, "9.7.8.1"),
    _form("or", (*BITS, "pred"), "T=T,T", Op.OR, "9.7.8.2"),
    _form("xor", (*BITS, "pred"), "T=T,T", Op.XOR, "9.7.8.3"),
    _form("not", (*BITS, "pred"), "T=T", Op.NOT, "9.7.8.4"),
    _form("cnot", BITS, "T=T", Op.CNOT, "9.7.8.5"),
    _form("lop3", ("b32",), "T=T,T,T,u", Op.LOP3, "9.7.8.6"),
    _form("lop3", ("b32",), "T,p=T,T,T,u,p", Op.LOP3_PRED, "9.7.8.6", need="or"),
    _form("lop3", ("b32",), "T,p=T,T,T,u,p", Op.LOP3_PRED, "9.7.8.6", need="and"),
    _form("shf", ("b32",), "T=T,T,u", Op.SHF, "9.7.8.7", may="l r wrap clamp"),
    _form("shl", BITS, "T=T,u", Op.SHL, "9.7.8.8"),
    _form("shr", (*BITS, *INTS), "T=T,u", Op.SHR, "9.7.8.9"),
    # 9.7.9 data movement and conversion
    _form("mov", (*BITS, *INTS, *FLOATS, "pred"), "T=T", Op.MOV, "9.7.9.2"),
    _form("mov", ("b16",), "T=H,H", Op.PACK, "9.7.9.3", need="pack"),
    _form("mov", ("b32", "b64"), "T=H,H T=Q,Q,Q,Q", Op.PACK, "9.7.9.3", need="pack"),
    _form("mov", ("b16",), "H,H=T", Op.UNPACK, "9.7.9.3", need="unpack"),
    _form("mov", ("b32", "b64"), "H,H=T Q,Q,Q,Q=T", Op.UNPACK, "9.7.9.3", need="unpack"),
    _form("prmt", ("b32",), "T=T,T,u", Op.PRMT, "9.7.9.7"),
    *(_form("prmt", ("b32",), "T=T,T,u", Op.PRMT_MODE, "9.7.9.7", need=mode) for mode in _MODE.split()),
    _form("isspacep", (), "p=x", Op.ISSPACEP, "9.7.9.19", may="const global local shared shared::cta shared::cluster param"),
    _form("cvta", ("u64",), "T=T", Op.CVTA, "9.7.9.20", may="to global shared shared::cta local const"),
    _form("cvt", ("s8", "u8", *INTS), "T=U", Op.CVT, "9.7.9.21", may="sat rni rzi rmi rpi ftz"),
    _form("cvt", INT16, "u=U,U", Op.CVT_PACK, "9.7.9.22", need="pack sat"),
    _form("cvt", ("u2", "s2", "u4", "s4", "u8", "s8"), "u=U,U,X", Op.CVT_PACK, "9.7.9.22", need="pack sat"),
)
