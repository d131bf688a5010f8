"""Graphs of what a stage made, as DOT or SVG, without any program or library for drawing.

model         nodes and edges                   control_flow  lower: blocks
dot           as text for Graphviz              barriers      unroll: who meets at which barrier
layout        places for all, in layers         expressions   vc, trace: the expression of one element
svg           the picture"""
