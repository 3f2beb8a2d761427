"""Clients: sessions on servers, and the ways to reach them."""
