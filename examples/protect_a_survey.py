"""From a file to a protected file, its recipe and both editions of the report."""

from pathlib import Path

import sdckit
from sdckit.datasets import simulate_survey

out = Path("protected-survey")
out.mkdir(exist_ok=True)

survey = simulate_survey(1000, seed=1)  # or sdckit.read("survey.csv", schema="schema.toml")
recipe = sdckit.Recipe.of(
    [
        sdckit.Recipe.of("rank-swapping:window=0.3", ["age", "education"]),
        sdckit.Recipe.of("mdav:group_size=5", ["income", "expenditure"]),
    ]
)
release = sdckit.protect(survey, recipe, seed=20240131)  # the seed is yours alone: with it a masking can be undone
result = sdckit.assess(release)

sdckit.write(release, out / "survey.csv", shuffle_rows=True, force=True)
sdckit.report(result, out / "report.html", force=True)
sdckit.report(result, out / "report-public.html", public=True, force=True)
(out / "recipe.toml").write_text(recipe.to_toml(), encoding="utf-8")

for score in result.of_kind("risk"):
    print(f"{score.name:32} {score.value:6.1%}")
print("Everything is in", out)
