"""The sections of a report, one per file, found by looking into this folder.

A section is a module with

`TITLE`     the heading on the page
`ORDER`     where it comes on the page, from low to high
`TEMPLATE`  a Jinja template of its HTML; `describe(name)` gives the description of a method or measure, and the macro
            `figure` of `figures.html` draws a chart
`content`   a function of a `Dossier` and `public` that gives the values for the template, or None for no section
`NEEDS`     results of the dossier without which there is no section, such as `("gate",)`; by default none
`PUBLIC`    False for what no public edition may show; by default True

With `public`, the dossier is already publishable. The values are stored in the document as JSON has them: figures,
texts, scores and charts, no file and no array. A template gets them as mappings, so a field must not be named like a
method of a dict (`items`, `values`, `keys`, `get`).
"""
