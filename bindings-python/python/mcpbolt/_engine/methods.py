"""What a server asks of the protocol's method table.

Owns: which methods clients send, and which of them are about which list. Must not know:
handlers.
"""

from __future__ import annotations

from .protocol import METHODS

# Per method of clients the name of its class; revisions without a handshake have none in 1.x.
REQUESTS = {
    name: row.model for name, row in METHODS.items() if row.is_legacy and row.is_request and row.sent_by != "server"
}
NOTIFICATIONS = {
    name: row.model for name, row in METHODS.items() if row.is_legacy and not row.is_request and row.sent_by != "server"
}
INITIALIZED = "notifications/initialized"
LISTEN = "subscriptions/listen"
# The lists that registries keep, and the engine's name for each.
LISTS = {name: row.lists for name, row in METHODS.items() if row.cacheable and row.lists}
LIST_OF = {kind: name for name, kind in LISTS.items()}
# Methods that name an entry of a list, and which.
OWNERS = {
    name: LIST_OF[row.capability[0]]
    for name, row in METHODS.items()
    if row.name_param and row.declared_by == "server" and row.capability[0] in LIST_OF
}
# The methods that the engine answers, whatever handlers the program has registered.
ENGINES = ("initialize", "ping", "server/discover")
# The methods whose handlers declare a capability.
DECLARING = ("logging/setLevel", "prompts/list", "resources/list", "tools/list", "completion/complete")
