"""Recoding: publish values more coarsely."""
