"""Live notifications: Socket.IO over WebSocket, fed by LISTEN/NOTIFY.

It may import: `http` and the rooms below it.
It offers: Sockets, the ASGI application of the channel.
"""
