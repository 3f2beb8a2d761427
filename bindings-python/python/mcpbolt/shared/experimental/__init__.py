"""Experimental features of 1.x for clients and servers."""
