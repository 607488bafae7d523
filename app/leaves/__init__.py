"""The leaves: what few businesses need. The program runs without the folder of any of them.

They may import: every room, and no other leaf.
They offer: LEAF, which app/base/leaf.py finds.
"""
