"""Normal forms of the operators: what is ring arithmetic, what becomes an exponent, and what stays an atom.

Every rule holds for all real arguments for which both sides are defined; a condition that a rule needs beyond that is added to
`assumptions` when the rule is used."""

from __future__ import annotations

from volta_pipe.passes.canon.exponentials import Exponentials
from volta_pipe.passes.canon.functions import Functions
from volta_pipe.passes.canon.predicates import Predicates


class Rules(Exponentials, Functions, Predicates):
    """All operators over one table."""
