"""What differs between two artifacts of one stage: a module for each kind, with `facts` as plain data and `text` of these.

sides       the two artifacts: by digest, or by stage and contract
operations  lower        classes   canon
rows        unroll       reports   check, decide, dynamic
elements    vc, trace"""
