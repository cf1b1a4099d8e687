"""Print what each figure shows, as pages name it."""

from tools.figures import every_figure

for name, draw in every_figure().items():
    print(f"<!-- figure {name}: {draw().text} -->\n")
