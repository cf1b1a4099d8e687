"""The sections of a report, one a file, found by looking into this folder.

A section has a `TITLE`, an `ORDER` on the page, a template of its own name, and a function `content` that gives what
the template shows, or None where it has nothing to show. With `public`, the result it gets is already publishable.

What `content` gives is kept in the dossier as JSON holds it: figures, texts, scores and charts, no file and no array. A
template gets it as mappings, so a field must not be named like a method of a dict (`items`, `values`, `keys`, `get`).
"""
