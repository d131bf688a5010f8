"""What changed between two artifacts of one stage: `phrase` in a few words, the modules in full.

align       common items of two sequences            expressions   vc, trace: elements whose expressions differ
lines       operations and rows as source lines      classes       canon: classes that differ
operations  lower: operations                        reports       check, decide, dynamic: what came and what went
rows        unroll: rows"""

from volta_pipe.driver.changes.words import phrase

__all__ = ["phrase"]
