"""From a file to a published folder, with its private key and both editions of the report."""

from pathlib import Path

import sdckit
from sdckit.datasets import simulate_survey
from sdckit.evaluation.publish import publish
from sdckit.files.key_file import write_key
from sdckit.key import Key
from sdckit.methods import Mdav, RankSwapping, Rounding

private = Path("private")
private.mkdir(exist_ok=True)

survey = simulate_survey(500, seed=1)  # or sdckit.read("survey.csv", schema="schema.toml")
survey = survey.with_roles(household="identifier")  # not released: families are found by their members
recipe = sdckit.Recipe(
    (
        sdckit.Step(RankSwapping(window=0.3), ("age", "education")),
        sdckit.Step(Mdav(group_size=5), ("income", "expenditure")),
        sdckit.Step(Rounding(base=50), ("weight",)),  # each household has its own weight
    )
)
release = sdckit.protect(survey, recipe)  # without a seed: the draws come from a secret of the operating system
result = sdckit.assess(release)
sdckit.report(result, private / "report.html", force=True)

rules = [{"measure": "informed-intruder", "max": 0.6}, {"measure": "il5", "max": 0.3}]
policy = sdckit.Policy.from_dict({"rules": rules})
verdict = sdckit.gate(release, policy)
for finding in verdict.findings:
    print(f"{finding.rule.measure.name:12} {finding.value:6.3f}  {'met' if finding.met else 'not met'}")

public = {"report-public.html": lambda path: sdckit.report(result, path, public=True)}
published = publish(release, verdict, "published-survey", more=public)  # the assessed file, its rows in a random order
write_key(Key.of(published), private / "survey.key", force=True)
print("Publish the folder published-survey; keep the folder private.")
