"""Authorization of servers over HTTP: bearer tokens, and an authorization server of one's own."""
