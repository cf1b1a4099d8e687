"""Charts: one per file, each a function from a result to plain records and a Vega-Lite spec; no other module draws.

A chart of a dossier is a module with a function `draw` of a `Dossier` and `public` that gives charts, none where it has
nothing to show. With `SECTION`, the name of a section of the report, they are added to that section; without it, the
section itself decides where they are shown. `NEEDS` names results of the dossier that it needs, such as `("attack",)`,
`ORDER` is its order within the section, and `PUBLIC = False` keeps it out of the public edition.
"""
