"""The web app: mask a file, attack the release and decide on it in a browser; local, offline, for one user.

`server` starts it, `app` has the routes, `pages` one file for each screen. Everything that is computed is computed by
the rest of sdckit, in processes of its own (`jobs`, `tasks`); this package shows it. Lists and forms come from the
catalogue.
"""
