"""Shared by every room: settings, failures, refusals, French words, progress, an embedded server.

It may import: no other room.
It offers: Settings, Failure, Refusal, Server.
"""
