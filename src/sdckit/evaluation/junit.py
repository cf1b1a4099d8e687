"""A verdict as JUnit XML, which most pipelines display: one test case per rule."""

import re
from xml.etree import ElementTree

from sdckit.evaluation.gate import NOTHING_CHECKED, Finding, Verdict

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # no escape makes these legal


def junit_xml(verdict: Verdict, name: str = "policy") -> str:
    """The document; a rule that is not met is a failure, an optional one that does not apply is skipped.

    Where all are skipped, nothing was checked, which is a failure of its own.
    """
    unchecked = verdict.nothing_checked
    counts = {
        "tests": len(verdict.findings) + unchecked,
        "failures": sum(not finding.met for finding in verdict.findings) + unchecked,
        "errors": 0,
        "skipped": sum(finding.left_out for finding in verdict.findings),
    }
    attributes = {"name": _legal(name)} | {key: str(value) for key, value in counts.items()}
    suites = ElementTree.Element("testsuites", attributes)
    suite = ElementTree.SubElement(suites, "testsuite", attributes)
    for finding in verdict.findings:
        suite.append(_case(finding))
    if unchecked:
        case = ElementTree.SubElement(suite, "testcase", {"classname": "sdckit.policy", "name": "a rule applies"})
        ElementTree.SubElement(case, "failure", {"message": NOTHING_CHECKED})
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suites, encoding="unicode") + "\n"


def _case(finding: Finding) -> ElementTree.Element:
    rule = finding.rule
    message = _legal(finding.description)
    case = ElementTree.Element(
        "testcase", {"classname": f"sdckit.{rule.measure.kind}", "name": _legal(f"{rule.title} {rule.limit}")}
    )
    if finding.left_out:
        ElementTree.SubElement(case, "skipped", {"message": message})
    elif not finding.met:
        ElementTree.SubElement(case, "failure", {"message": message}).text = _legal(rule.note) or None
    ElementTree.SubElement(case, "system-out").text = message
    return case


def _legal(text: str) -> str:
    return NOT_XML.sub("�", text)
