"""Contracts that are wrong in one place each, and what the command line has to say of them.

GOOD is proved; a case changes one text of it (or of the PTX or the spec beside it) into another."""

from __future__ import annotations

from dataclasses import dataclass, field

# ruff: noqa: E501 tables of cases, a line each
GOOD = """\
name = "axpy"
aliases = []

[dims]
n = [8, 16]

[tensors.x]
dtype = "f32"
shape = ["n"]
role  = "in"

[tensors.y]
dtype = "f32"
shape = ["1*n"]
role  = "inout"

[scalars.a]
dtype = "f32"

[reference]
spec = "spec.py:axpy"

[candidate]
source = "k.ptx"
entry  = "axpy_grid_stride"
grid   = [2]
block  = [64]
args   = ["x", "y", "a", "n"]

[externs]

[globals]

[numerics]
model = "real"

[assume]
"""
SPEC = '''\
"""What axpy is, in NumPy."""
import numpy as np


def axpy(x, y, a):
    return {"y": a * x + y}


def other(x, y, a):
    return {"y": x}
'''
# What runs code, where it is run, leaves this file; no case may.
TOUCHED = "touched"
RUNS = f"__import__('os').system('touch {TOUCHED}')"


@dataclass(frozen=True)
class Bad:
    """`old` becomes `new` in `file`. The error is on the line of `on` that holds `at`, of `field` (a contract's), and says all
    of `words`. `files`: others to write first. `old` "" replaces all of the file."""

    name: str
    old: str
    new: str
    at: str
    field: str
    words: tuple[str, ...]
    file: str = "volta.toml"
    on: str = "volta.toml"
    files: dict[str, bytes] = field(default_factory=dict)


def _toml(name: str, old: str, new: str, at: str, field: str, *words: str, **files: bytes) -> Bad:
    return Bad(name, old, new, at, field, words, files={key.replace("_", "."): value for key, value in files.items()})


def _spec(name: str, old: str, new: str, at: str, *words: str, field: str = "") -> Bad:
    return Bad(name, old, new, at, field, words, "spec.py", "spec.py")


def _ptx(name: str, old: str, new: str, at: str, *words: str) -> Bad:
    return Bad(name, old, new, at, "", words, "k.ptx", "k.ptx")


X, Y = 'dtype = "f32"\nshape = ["n"]', 'dtype = "f32"\nshape = ["1*n"]'
IN = 'shape = ["n"]\nrole  = "in"'
ARGS = 'args   = ["x", "y", "a", "n"]'

CASES = [
    # TOML itself
    _toml("no value", 'name = "axpy"', "name =", "name =", "", "not valid TOML"),
    _toml("a bracket that stays open", "n = [8, 16]", "n = [8, 16", "[tensors.x]", "", "not valid TOML"),
    _toml("a string that stays open", 'name = "axpy"', 'name = "axpy', 'name = "axpy', "", "not valid TOML"),
    _toml("a key twice", "n = [8, 16]", "n = [8, 16]\nn = 4", "n = 4", "", "volta.toml:6:6: not valid TOML: a key of this name is there already"),
    _toml("a table twice", "[scalars.a]", "[tensors.x]\n[scalars.a]", "[tensors.x]\n[scalars", "", "not valid TOML", "twice"),
    _toml("Python instead of TOML", 'name = "axpy"', f"name = {RUNS}", "name = ", "", "not valid TOML"),
    _toml("empty", "", "", "", "", "is empty"),
    _toml("only blanks", "", "\n\n", "", "candidate", "is missing (the kernel to verify)"),
    _toml("deep", "", "x = " + "[" * 3000, "", "", "nested too deeply"),
    _toml("a number of thousands of digits", "n = [8, 16]", "n = " + "9" * 5000, "n = 9", "", "holds a number that is too long (5,000 digits)"),
    _toml("a byte order mark and an error", "", "\ufeff" + GOOD.replace("role  = \"in\"", "role  = \"input\""), 'role  = "input"', "tensors.x.role", "unknown value 'input'", "one of: in, out, inout, scratch"),
    _toml("windows line ends and an error", "", GOOD.replace("[64]", "[\"m\"]").replace("\n", "\r\n"), 'block  = ["m"]', "candidate.block[0]", "unknown name 'm'"),
    # fields
    _toml("a field misspelt", "name =", "nmae =", "nmae", "nmae", "unknown field, did you mean 'name'?"),
    _toml("a table misspelt", "[candidate]", "[candidat]", "[candidat]", "candidat", "unknown field, did you mean 'candidate'?"),
    _toml("a reference misspelt", "[reference]", "[referense]", "[referense]", "referense", "unknown field, did you mean 'reference'?"),
    _toml("a reference in capitals", "[reference]", "[Reference]", "[Reference]", "Reference", "unknown field, did you mean 'reference'?"),
    _toml("a candidate in capitals", "[candidate]", "[CANDIDATE]", "[CANDIDATE]", "CANDIDATE", "unknown field, did you mean 'candidate'?"),
    _toml("a spec misspelt", 'spec = "spec', 'Spce = "spec', "Spce", "reference.Spce", "unknown field, did you mean 'spec'?"),
    _toml("a field in capitals", 'role  = "inout"', 'role  = "inout"\nALIGN = 8', "ALIGN", "tensors.y.ALIGN", "unknown field, did you mean 'align'?"),
    _toml("a dtype in capitals", X, X.replace("f32", "F32"), "F32", "tensors.x.dtype", "unknown value 'F32', did you mean 'f32'?"),
    _toml("a field of a tensor misspelt", 'role  = "inout"', 'role  = "inout"\naling = 8', "aling", "tensors.y.aling", "unknown field, did you mean 'align'?"),
    _toml("a field of the kernel misspelt", "block  = [64]", "blocks = [64]", "[candidate]", "candidate.block", "is missing (a list), is it 'blocks'?"),
    _toml("a number for a text", 'name = "axpy"', "name = 3", "name = 3", "name", "must be a string, is 3"),
    _toml("a text for a table", "[dims]\nn = [8, 16]", 'dims = "n"', 'dims = "n"', "dims", "must be a table, is 'n'"),
    _toml("a text for a list", ARGS, 'args = "x, y"', 'args = "x', "candidate.args", "must be a list"),
    _toml("numerics misspelt", 'model = "real"', 'mode = "real"', "mode", "numerics.mode", "unknown field, did you mean 'model'?"),
    _toml("another model", 'model = "real"', 'model = "float"', "model =", "numerics.model", "unknown value 'float'", "real"),
    _toml("an assumption that is none", "[assume]", "[assume]\nno_races = true", "no_races", "assume.no_races", "unknown field"),
    _toml("an assumption in words", "[assume]", '[assume]\nwarp_collectives_order_memory = "yes"', "warp_coll", "assume.warp_collectives_order_memory", "must be true or false, is 'yes'"),
    # dims
    _toml("no dims", "n = [8, 16]", "n = []", "n = []", "dims.n", "has no value"),
    _toml("a dim twice", "n = [8, 16]", "n = [8, 8]", "n = [8", "dims.n", "lists a value twice"),
    _toml("a dim of a truth value", "n = [8, 16]", "n = [8, true]", "n = [8", "dims.n[1]", "must be an integer", "True"),
    _toml("a dim with a fraction", "n = [8, 16]", "n = 1.5", "n = 1.5", "dims.n", "must be an integer, a list of them or {min=,max=,step=}, is 1.5"),
    _toml("a negative size", "n = [8, 16]", "n = -8", 'shape = ["n"]', "tensors.x.shape[0]", "n = -8 is not within 1 to"),
    _toml("a range turned round", "n = [8, 16]", "n = {min = 9, max = 1}", "n = {", "dims.n", "needs step >= 1 and max >= min"),
    _toml("a range without an end", "n = [8, 16]", "n = {min = 9}", "n = {", "dims.n.max", "is missing (an integer)"),
    _toml("a range of millions", "n = [8, 16]", "n = {min = 1, max = 2000000000}", "n = {", "dims.n", "more than 10,000 values"),
    _toml("too many combinations", "n = [8, 16]", "n = {min = 1, max = 200}\nm = {min = 1, max = 200}", "[dims]", "dims", "40,000 combinations of dims (at most 10,000)"),
    _toml("a dim with a reserved name", "n = [8, 16]", "n = [8, 16]\nmin = 3", "min = 3", "dims.min", "'min' cannot be a name"),
    _toml("a name taken twice", "[scalars.a]", "[scalars.x]", "[scalars.x]", "scalars.x", "the name is taken by tensors.x"),
    # tensors
    _toml("a dtype misspelt", X, X.replace("f32", "fp32"), "fp32", "tensors.x.dtype", "unknown value 'fp32', did you mean 'f32'?"),
    _toml("an unknown name in a shape", 'shape = ["n"]', 'shape = ["m"]', '["m"]', "tensors.x.shape[0]", "unknown name 'm' (dims: n) at column 1"),
    _toml("division by zero", 'shape = ["n"]', 'shape = ["n//(n-8)"]', "n//(n-8)", "tensors.x.shape[0]", "division by zero at column 2 of the expression (at n = 8)"),
    _toml("a size beyond 64 bits", 'shape = ["n"]', 'shape = ["n*9999999999*9999999999"]', "n*999", "tensors.x.shape[0]", "does not fit 64 bits"),
    _toml("a tensor of terabytes", 'shape = ["n"]', 'shape = ["n*100000000", 1000]', "n*100000000", "tensors.x.shape", "the tensor spans", "bytes (at most 4,294,967,296)"),
    _toml("a size of zero", 'shape = ["n"]', 'shape = ["n-8"]', "n-8", "tensors.x.shape[0]", "n-8 = 0 is not within 1 to"),
    _toml("code in an expression", 'shape = ["n"]', f'shape = ["{RUNS}"]', "shape = [\"__import__", "tensors.x.shape[0]", "unexpected ''' at column 12 of the expression"),
    _toml("an attribute in an expression", 'shape = ["n"]', 'shape = ["n.__class__"]', "n.__class__", "tensors.x.shape[0]", "unexpected '.' at column 2"),
    _toml("a power in an expression", 'shape = ["n"]', 'shape = ["n**n"]', "n**n", "tensors.x.shape[0]", "found '*' at column 3"),
    _toml("an expression of thousands of characters", 'shape = ["n"]', f'shape = ["n{"+1" * 5000}"]', "n+1+1", "tensors.x.shape[0]", "expression of 10001 characters (at most 1000)"),
    _toml("an expression nested deeply", 'shape = ["n"]', f'shape = ["{"(" * 400}n{")" * 400}"]', "((((", "tensors.x.shape[0]", "nested deeper than 50"),
    _toml("an empty expression", 'shape = ["n"]', 'shape = [""]', 'shape = [""]', "tensors.x.shape[0]", "found the end at column 1"),
    _toml("another number of strides", IN, IN + "\nstrides = [1, 1]", "strides", "tensors.x.strides", "needs one stride a dimension: 1, has 2"),
    _toml("strides that overlap", 'shape = ["1*n"]', 'shape = ["n", 2]\nstrides = [1, 1]', "strides", "tensors.y.strides", "elements overlap"),
    _toml("an alignment that is none", IN, IN + "\nalign = 12", "align", "tensors.x.align", "must be a power of two up to 1048576, is 12"),
    _toml("an alignment below the element", IN, IN + "\nalign = 2", "align", "tensors.x.align", "2 bytes are less than an element of f32 needs (4)"),
    _toml("values that are missing", IN, IN + '\nvalues = "none.npy"', "none.npy", "tensors.x.values", "none.npy does not exist"),
    _toml("values that are pickled", IN, IN + '\nvalues = "p.npy"', "p.npy", "tensors.x.values", "p.npy is not a .npy file of numbers: it holds Python objects (a pickle), which are never loaded", p_npy=b"pickled"),
    _toml("values that are no array", IN, IN + '\nvalues = "t.npy"', "t.npy", "tensors.x.values", "t.npy is not a .npy file of numbers: it does not start as one, or it is a pickle, which is never loaded", t_npy=b"no array\n"),
    _toml("values of another shape", IN, IN + '\nvalues = "s.npy"', "s.npy", "tensors.x.values", "s.npy has shape (3,), the tensor (8,)", s_npy=b"shape"),
    _toml("values with a NaN for integers", X, X.replace("f32", "s32") + '\nvalues = "f.npy"', "f.npy", "tensors.x.values", "f.npy holds float64, the tensor is s32", f_npy=b"nan"),
    _toml("values that do not fit", X, X.replace("f32", "u8") + '\nvalues = "i.npy"', "i.npy", "tensors.x.values", "i.npy holds 0 to 300, u8 holds 0 to 255", i_npy=b"ints"),
    _toml("a value that does not fit", X, X.replace("f32", "u8") + "\nvalues = 256", "values", "tensors.x.values", "256 does not fit u8"),
    _toml("a range that is turned round", IN, IN + "\nrange = [1, -1]", "range", "tensors.x.range", "must be two numbers, the smaller first, is [1, -1]"),
    _toml("a range to infinity", IN, IN + "\nrange = [0.0, inf]", "range", "tensors.x.range", "must be two finite numbers, is [0.0, inf]"),
    _toml("a range without an integer", X, X.replace("f32", "s32") + "\nrange = [0.2, 0.8]", "range", "tensors.x.range", "holds no integer of s32, is [0.2, 0.8]"),
    _toml("a range beyond the dtype", X, X.replace("f32", "u8") + "\nrange = [256, 300]", "range", "tensors.x.range", "holds no integer of u8"),
    _toml("a tolerance of hundreds of digits", Y, Y + "\nrtol = 1" + "0" * 400, "rtol", "tensors.y.rtol", "is a number that no float64 holds"),
    _toml("a name of two lines", 'name = "axpy"', 'name = "axpy\\nequivalent: axpy"', 'name = "axpy', "name", "holds a line break"),
    _toml("a name with an escape", 'name = "axpy"', 'name = "\\u001b[31maxpy"', "name =", "name", "does not print"),
    _toml("aliases of three", "aliases = []", 'aliases = [["x", "y", "x"]]', "aliases", "aliases[0]", "must be a pair of tensors"),
    _toml("an alias of nothing", "aliases = []", 'aliases = [["x", "z"]]', "aliases", "aliases[0]", "unknown tensor 'z' (tensors: x, y)"),
    _toml("aliases of two sizes", "", GOOD.replace("[]", '[["x", "y"]]').replace("1*n", "2*n"), "aliases", "aliases[0]", "x has 32 bytes and y 64: tensors that share memory must have one size"),
    # scalars
    _toml("a scalar that does not fit", '[scalars.a]\ndtype = "f32"', '[scalars.a]\ndtype = "f32"\nvalue = 1e60', "value", "scalars.a.value", "1e+60 does not fit f32"),
    _toml("a scalar with a fraction", '[scalars.a]\ndtype = "f32"', '[scalars.a]\ndtype = "s32"\nvalue = 0.5', "value", "scalars.a.value", "0.5 is no integer"),
    # the reference
    _toml("no such spec", '"spec.py:axpy"', '"sepc.py:axpy"', "sepc.py", "reference.spec", "sepc.py does not exist"),
    _toml("no such function", '"spec.py:axpy"', '"spec.py:apxy"', "apxy", "reference.spec", "defines no function apxy", "did you mean 'axpy'?"),
    _toml("a spec without a function", '"spec.py:axpy"', '"spec.py"', '"spec.py"', "reference.spec", "must be file.py:function"),
    _toml("a module of Python", '"spec.py:axpy"', '"os:system"', "os:system", "reference.spec", "no module os: a function is named by its file"),
    _toml("a call", '"spec.py:axpy"', f'"{RUNS}"', "__import__", "reference.spec", "must be file.py:function"),
    _toml("a path out of the folder", '"spec.py:axpy"', '"../../nowhere/spec.py:axpy"', "nowhere", "reference.spec", "../../nowhere/spec.py does not exist"),
    _toml("a library function misspelt", '"spec.py:axpy"', '"volta_pipe.spec:sofmax"', "sofmax", "reference.spec", "did you mean 'softmax'?"),
    _toml("another module of ours", '"spec.py:axpy"', '"volta_pipe.driver:main"', "volta_pipe.driver", "reference.spec", "volta_pipe.spec"),
    _toml("an unknown option", '"spec.py:axpy"', '"volta_pipe.spec:softmax"\noptions = {axes = 1}', "options", "reference.options.axes", "did you mean 'axis'?"),
    _toml("a spec and a kernel", '"spec.py:axpy"', '"spec.py:axpy"\nentry = "axpy"', 'entry = "axpy"', "reference.entry", "a reference is a spec or a kernel, not both"),
    _toml("nothing to compare", 'role  = "inout"', 'role  = "in"', "[reference]", "reference", "no tensor has the role out or inout"),
    _spec("a syntax error", "    return {\"y\": a", "    return {\"y\" a", '{"y" a', "is not Python"),
    _spec("an exception at import", "import numpy as np", "import numpy as np\nx = 1 / 0", "x = 1 / 0", "the spec raised ZeroDivisionError: division by zero"),
    _spec("a module that is not there", "import numpy as np", "import scipy_special", "scipy_special", "ModuleNotFoundError", "scipy_special"),
    Bad("a parameter too many", "def axpy(x, y, a)", "def axpy(x, y, b)", "spec.py:axpy", "reference.spec", ("axpy (line 5 of spec.py) wants b, which is no in or inout tensor or scalar of the contract", "x, y, a"), "spec.py"),
    _spec("None", '    return {"y": a * x + y}', "    y = a * x + y", "def axpy", 'axpy must return a dict {"y": …}, not NoneType'),
    _spec("another name", '{"y": a', '{"z": a', "def axpy", "axpy returns 'z'"),
    _spec("another shape", "a * x + y}", "(a * x + y)[:3]}", "def axpy", "axpy returns y with shape (3,), the contract says (8,)", "volta.toml:14: tensors.y.shape"),
    _spec("an import that ends the program", "import numpy as np", "import sys; sys.exit(0)", "sys.exit", "the spec raised SystemExit: 0"),
    Bad("a print and no function", "def axpy", "print(1)\ndef apxy", "spec.py:axpy", "reference.spec", ("defines no function axpy, did you mean 'apxy'?",), "spec.py"),
    # the candidate
    _toml("no such PTX", '"k.ptx"', '"kk.ptx"', "kk.ptx", "candidate.source", "kk.ptx does not exist"),
    _toml("a CUDA source", '"k.ptx"', '"k.cu"', "k.cu", "candidate.source", "compile it to PTX first (nvcc -ptx"),
    _toml("an entry misspelt", '"axpy_grid_stride"', '"axpy_gridstride"', "axpy_gridstride", "candidate.entry", "k.ptx has no entry 'axpy_gridstride', did you mean 'axpy_grid_stride'?"),
    _toml("no CTA", "grid   = [2]", "grid   = [0]", "grid  ", "candidate.grid[0]", "0 is not within 1 to"),
    _toml("a grid beyond CUDA's", "grid   = [2]", "grid   = [1, 70000]", "grid  ", "candidate.grid[1]", "70000 is not within 1 to 65535"),
    _toml("a grid of four numbers", "grid   = [2]", "grid   = [1, 1, 1, 1]", "grid  ", "candidate.grid", "needs 1 to 3 values, has 4"),
    _toml("a block of 2048", "block  = [64]", "block  = [2048]", "block", "candidate.block[0]", "2048 is not within 1 to 1024"),
    _toml("a block of 32 by 64", "block  = [64]", "block  = [32, 64]", "block", "candidate.block", "2048 threads in a CTA (at most 1024) (at n = 8)"),
    _toml("too few arguments", ARGS, 'args = ["x", "y", "a"]', "args", "candidate.args", "axpy_grid_stride takes 4 arguments, the contract gives 3", "axpy_grid_stride_param_3 .u32"),
    _toml("too many arguments", ARGS, 'args = ["x", "y", "a", "n", "n"]', "args", "candidate.args", "axpy_grid_stride takes 4 arguments, the contract gives 5"),
    _toml("an unknown argument", ARGS, 'args = ["x", "y", "alpha", "n"]', "args", "candidate.args[2]", "unknown name 'alpha'"),
    _toml("a tensor for a number", ARGS, 'args = ["x", "y", "a", "x"]', "args", "candidate.args[3]", "'x' is a pointer: parameter axpy_grid_stride_param_3 of axpy_grid_stride is a .u32 of 4 bytes"),
    _toml("a float for a pointer", ARGS, 'args = ["x", 2.5, "a", "n"]', "args", "candidate.args[1]", "'2.5' is no integer"),
    _toml("a float for an integer", ARGS, 'args = ["x", "y", "a", 1.5]', "args", "candidate.args[3]", "1.5"),
    _toml("an offset outside", ARGS, 'args = ["x+4*n+4", "y", "a", "n"]', "args", "candidate.args[0]", "outside x"),
    _toml("a CTA outside the grid", "block  = [64]", "block  = [64]\nctas = [[2, 0, 0]]", "ctas", "candidate.ctas[0][0]", "2 is not within 0 to 1"),
    _toml("a CTA twice", "block  = [64]", "block  = [64]\nctas = [[1, 0, 0], [1, 0, 0]]", "ctas", "candidate.ctas[1]", "twice"),
    _toml("shared memory beyond the card's", "block  = [64]", "block  = [64]\nshared = 1000000000", "shared", "candidate.shared", "1000000000 is not within 0 to"),
    _toml("an architecture that is none", "block  = [64]", 'block  = [64]\narch = "ampere"', "arch", "candidate.arch", "'ampere' is no architecture (such as sm_80)"),
    _toml("an extern that computes nothing known", "[externs]", '[externs]\nmy_expf = "expo"', "my_expf", "externs.my_expf", "unknown value 'expo', did you mean 'exp'?"),
    _toml("an extern that nobody calls", "[externs]", '[externs]\nmy_expf = "exp"', "my_expf", "externs.my_expf", "my_expf"),
    _toml("a variable that is not there", "[globals]", "[globals]\nMAX = 3", "MAX", "globals.MAX", "no variable in .const or .global memory has this name"),
    # numbers and names beyond what anything holds
    _toml("a dim of 40 digits", "n = [8, 16]", f"n = [8, {'9' * 40}]", "n = ", "dims.n[1]", "must be an integer"),
    _toml("a dim of 5000 digits", "n = [8, 16]", f"n = [8, {'9' * 5000}]", "n = ", "", "holds a number that is too long (5,000 digits)"),
    _toml("a grid of 40 digits", "grid   = [2]", f"grid   = [{'9' * 40}]", "grid  ", "candidate.grid[0]", "is not within 1 to"),
    _toml("a grid of 5000 digits", "grid   = [2]", f"grid   = ['{'9' * 900}']", "grid  ", "candidate.grid[0]", "number of 900 digits does not fit 64 bits"),
    _toml("a block of 40 digits", "block  = [64]", f"block  = ['{'9' * 40}']", "block", "candidate.block[0]", "number of 40 digits does not fit 64 bits"),
    _toml("a block of 5000 digits", "block  = [64]", f"block  = ['{'9' * 5000}']", "block", "candidate.block[0]", "expression of 5000 characters (at most 1000)"),
    _toml("a scalar of 400 digits", '[scalars.a]\ndtype = "f32"', f'[scalars.a]\ndtype = "f32"\nvalue = {"9" * 400}', "value", "scalars.a.value", "f32"),
    _toml("a scalar of 5000 digits", '[scalars.a]\ndtype = "f32"', f'[scalars.a]\ndtype = "f32"\nvalue = {"9" * 5000}', "value", "", "holds a number that is too long"),
    _toml("a source of 260 letters", '"k.ptx"', f'"{"k" * 260}.ptx"', "kk.ptx", "candidate.source", "cannot be read: File name too long"),
    _toml("a source of 260 letters without suffix", '"k.ptx"', f'"{"k" * 260}"', "kkk", "candidate.source", "files without a suffix is not supported"),
    _toml("a spec of 260 letters", '"spec.py:axpy"', f'"{"s" * 260}.py:axpy"', "ss.py:axpy", "reference.spec", "cannot be read: File name too long"),
    # the PTX
    _ptx("no PTX", "", "hello\n", "hello", "hello"),
    _ptx("binary", "", "\x7fELF\x00\x01", "", "PTX"),
    _ptx("a comma missing", "%f14, %f1,", "%f14 %f1,", "%f14 %f1", "%f1"),
    _ptx("a text in place of an operand", "%f14, %f1, %f15", "%f14, \"one\", %f15", "\"one\"", "one"),
    _ptx("a register that is not declared", "fma.rn.f32 \t%f", "fma.rn.f32 \t%g", "%g", "%g"),
    _ptx("a semicolon missing", "ret;", "ret", "}\n\n\t.file", "found '}'"),
    _ptx("a label that is not there", "bra \t$L", "bra \t$M", "$M", "$M"),
]  # fmt: skip
