"""What every room needs: settings, failures, refusals, French words, progress, a server as a child process.

It may import: nothing of the other rooms.
It offers: Settings, Failure, Refusal, Server.
"""
