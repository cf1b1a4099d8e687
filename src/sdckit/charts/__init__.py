"""Charts: one a file, each a function from a result to plain records and a Vega-Lite spec; no other module draws."""
