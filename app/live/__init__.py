"""Live notifications: Socket.IO over WebSocket, fed by LISTEN/NOTIFY.

It offers: Sockets, the ASGI application of the channel.
"""
