"""Arrays that a spec makes out of plain numbers: views, copies and mixtures with symbolic values are as NumPy's, or refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from trace_specs import agree, tensor, traced

from volta_pipe.ir.errors import InputError, UnsupportedError

# Statements over x [4] that leave `r`.
SAME = {
    "asarray alias": "y=np.zeros(4)\nz=np.asarray(y)\nz[0]=x[0]\ny[1]=x[1]\nr=y",
    "asarray dtype same": "y=np.zeros(4)\nz=np.asarray(y, dtype=float)\nz[0]=x[0]\nr=y",
    "astype copies": "y=np.zeros(4)\nz=y.astype(float)\nz[0]=x[0]\nr=y+z",
    "np.array of made": "y=np.ones(4)\nz=np.array(y)\nz[0]=x[0]\nr=y+z",
    "list of rows": "y=np.zeros((2,2))\nrows=list(y)\nrows[0][0]=x[0]\nr=y.reshape(-1)",
    "iter write": "y=np.zeros((4,1))\nfor i,row in enumerate(y): row[0]=x[i]\nr=y[:,0]",
    "flat": "y=np.zeros(4)\nfor i,v in enumerate(x.flat): y[i]=v\nr=y",
    "broadcast_to": "y=np.zeros(1)\nz=np.broadcast_to(y,(4,))\ny[0]=2.\nr=z*x",
    "expand dims": "y=np.zeros(4)\nz=np.expand_dims(y,0)\nz[0,1]=x[1]\nr=y",
    "squeeze": "y=np.zeros((1,4))\nz=np.squeeze(y)\nz[1]=x[1]\nr=y[0]",
    "split": "y=np.zeros(4)\na,b=np.split(y,2)\na[0]=x[0]\nb+=x[:2]\nr=y",
    "diagonal": "y=np.zeros((4,4))\nd=np.diagonal(y)\ny[0,0]=3.\nr=d*x",
    "diag copy": "y=np.eye(4)*1.0\nd=np.diag(np.ones((4,4)))\nr=d*x",
    "atleast": "y=np.zeros(4)\nz=np.atleast_2d(y)\nz[0,0]=x[0]\nr=y",
    "-0": "y=np.zeros(4)\ny*=-1\nr=np.copysign(x,1+y)",
    "-0 b": "y=np.array([-0.0,1,2,3])\nr=np.copysign(x, y)",
    "nan": "y=np.full(4,np.nan)\ny[:]=1\nr=y*x",
    "sort in place": "y=np.array([3.,1,2,0])\nz=np.sort(y)\nr=z*x",
    "argsort": "y=np.array([3.,1,2,0])\nr=x[np.argsort(y)]",
    "mask": "y=np.array([3.,1,2,0])\nr=x*(y>1)",
    "float16": "y=np.zeros(4,np.float16)\ny[0]=0.1\nr=y*x",
    "sum f32": "y=np.full(4,0.1,np.float32)\nr=y.sum()*x",
    "cumsum": "y=np.ones(4)\nr=np.cumsum(y)*x",
    "cond": "y=np.ones(4)\nif y.any(): r=x*2\nelse: r=x",
    "moveaxis": "y=np.zeros((2,2))\nz=np.moveaxis(y,0,1)\nz[0,1]=x[0]\nr=y.reshape(-1)",
    "nan_to_num": "y=np.array([np.nan,1,np.inf,2.])\nr=np.nan_to_num(y,posinf=1.)*x",
    "swap": "y=np.zeros(4)\ny[:]=x\ny[0],y[1]=y[1],y[0]\nr=y",
    "take": "y=np.arange(4.)\nt=np.take(np.ones(4)*y,[3,2,1,0])\nr=t*x",
    "unique": "y=np.array([1.,1,2,3])\nu=np.unique(y)\nr=x[:3]*u",
    "iadd plain": "a=np.arange(4.)\nw=np.ones(4)\nw[0]=2\na+=w\na*=w\nr=a*x",
    "where plain": "w=np.ones(4)\nr=np.where(w>0,x,w)",
    "linspace": "a=np.linspace(0,1,4)\na[0]=2.\nr=a*x",
    "power": "a=np.array([2.,3,0,1])\nr=x**2+a**2*x",
    "div": "a=np.array([2.,3,0.5,1])\nr=x/a+1/a",
    "interp": "a=np.array([2.,3,0.5,1])\nr=x*np.interp(a,[0.,4.],[0.,8.])",
    "view": "y=np.zeros(4)\nv=y[1:3]\nv[...]=x[:2]\nw=y[::-1]\nw[0]=9.\nr=y",
    "copyto": "y=np.zeros(4)\nnp.copyto(y,1.5)\ny[0]=x[0]\nr=y",
    "fill": "y=np.empty(4)\ny.fill(2.)\nr=y*x",
    "full sym": "y=np.full(4,x[0])\ny[1]=1\nr=y",
    "dot out": "y=np.zeros(4)\nnp.dot(np.ones((4,4)),x,out=y)\nr=y",
    "tolist": "y=np.array([1.,2,3,4]).tolist()\nr=np.array(y)*x",
    "clip out": "y=np.zeros(4)\nnp.clip(x,0,1,out=y)\nr=y",
    "cross mix": "w=np.zeros((2,4))\nw[0]=x\nw[1]=np.arange(4.)\nr=w.sum(axis=0)+w.max(axis=0)+w.prod(axis=0)",
    "std": "w=np.zeros((2,4))\nw[0]=x\nr=w.std(axis=0)+np.linalg.norm(w,axis=0)",
}
# As NumPy gives a view there or a copy, by layout or by function.
REFUSED = {
    "reshape view write": "y=np.zeros(4)\nz=y.reshape(2,2)\nz[0]=x[:2]\nr=y",
    "ravel view write": "y=np.zeros((2,2))\nz=y.ravel()\nz[0]=5.\nr=y.sum()*x",
    "real view": "y=np.zeros(4)\nz=np.real(y)\nz[0]=5.\nr=y*x",
    "np.array copy False": "y=np.ones(4)\nz=np.array(y, copy=None)\nz[0]=3.\nr=y*x",
}


def _text(body: str) -> str:
    return "def spec(x):\n" + "".join(f"    {line}\n" for line in body.splitlines()) + "    return {'r': r}\n"


@pytest.mark.parametrize("name", SAME)
def test_as_numpy(tmp_path: Path, name: str) -> None:
    names: dict[str, object] = {}
    exec("import numpy as np\n" + _text(SAME[name]), names)
    shape = np.shape(names["spec"](np.array([0.3, -0.7, 1.1, 2.0]))["r"])  # type: ignore[operator]
    agree(tmp_path, _text(SAME[name]), tensor("x", (4,)), tensor("r", shape, "out"))


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises((InputError, UnsupportedError), match=r"spec\.py:[45]: .*(read-only|copy)"):
        traced(tmp_path, _text(REFUSED[name]), tensor("x", (4,)), tensor("r", (4,), "out"))
