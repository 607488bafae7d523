"""Shared by every room: settings, failures, refusals, French words, progress, the leaves.

It offers: Settings, Failure, Refusal.
"""
