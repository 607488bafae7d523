"""Notifications as they are written: Socket.IO over WebSocket, fed by LISTEN/NOTIFY."""
