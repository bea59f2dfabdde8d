"""Measures how fast and how small Homesteward is: each figure beside a peer or a physical limit in the same run.

`python -m bench` measures everything and writes docs/benchmarks.md. The bars are data (`bars.py`); one file measures one thing.
"""
