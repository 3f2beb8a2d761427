"""What servers and clients of 2.x share, where it differs from 1.x.

Owns: nothing itself. Must not know: servers, clients.
"""
