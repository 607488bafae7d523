"""Shared by every room: settings, failures, refusals, French words, progress, the leaves.

It may import: no other room.
It offers: Settings, Failure, Refusal.
"""
