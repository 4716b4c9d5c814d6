"""`ndcg-ref check`: its formats, what it is told, the patch, and the slips that are known."""

import io
import json
import math
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml
from pages import notebook
from pages import text as markdown
from rows import every_row

from ndcg_ref.commands.findings_formats import FORMATS, FileFinding, Report
from ndcg_ref.commands.note_files import SUFFIXES, Note
from ndcg_ref.commands.shared import workflow_command
from ndcg_ref.notes import Finding
from ndcg_ref.stated import judge

ROOT = Path(__file__).resolve().parent.parent

# DCG = 3 + 0 + 2/2 = 4; the ideal is 3 + 2/log2(3) = 4.261860, the ratio 0.938557
RIGHT = "Grades [3, 0, 2].\n\nDCG@3 = 3/1 + 0/1.585 + 2/2 = 4.000\nIDCG@3 = 3/1 + 2/1.585 + 0/2 = 4.262\n"
NOTE = f"{RIGHT}NDCG@3 = 4.000 / 4.262 = 0.938\n"  # truncated; 0.939 is right
CORRECT = f"{RIGHT}NDCG@3 = 4.000 / 4.262 = 0.939\n"


def as_notebook(note):
    """A notebook with the note as its cell, which is stored line by line."""
    return json.dumps(json.loads(notebook(markdown(note.splitlines(keepends=True)))), indent=1)


# What SARIF 2.1.0 says of the objects that are written here: their properties, and with a ! those they must have.
# The whole schema is too long to keep a copy of it.
GRADED = {"ruleId": str, "ruleIndex": int, "level": str}
PLACED = ("startLine", "startColumn", "endColumn", "charOffset", "charLength")
SARIF: dict[str, dict] = {
    "log": {"$schema": str, "version!": str, "runs!": ["run"]},
    "run": {"tool!": "tool", "columnKind": str, "results": ["result"]},
    "tool": {"driver!": "driver"},
    "driver": {"name!": str, "version": str, "rules": ["rule"]},
    "rule": {"id!": str, "shortDescription": "message", "defaultConfiguration": dict},
    "result": {"message!": "message", "locations": ["location"], "properties": dict, **GRADED},
    "message": {"text!": str},
    "location": {"physicalLocation": "place"},
    "place": {"artifactLocation!": "file", "region": "region"},
    "file": {"uri": str},
    "region": {"snippet": "message", **dict.fromkeys(PLACED, int)},
}


def is_sarif(value, kind):
    """Whether a value has the properties of its kind, and those alone; raises where it has not."""
    if isinstance(kind, list):
        return isinstance(value, list) and all(is_sarif(each, kind[0]) for each in value)
    if not isinstance(kind, str):
        return isinstance(value, kind)
    properties = {name.rstrip("!"): each for name, each in SARIF[kind].items()}
    assert {name[:-1] for name in SARIF[kind] if name[-1] == "!"} <= value.keys() <= properties.keys()
    assert all(is_sarif(each, properties[key]) for key, each in value.items())
    return True


def run_in(out):
    """The one run of a log, which is as SARIF says."""
    log = json.loads(out)
    assert is_sarif(log, "log")
    assert log["version"] == "2.1.0"
    return log["runs"][0]


SARIF_FILES = [
    # the note, how far behind its place in NOTE the slip is
    (NOTE, 0),
    ("\U0001d465" + NOTE, 1),  # one code point, two units of UTF-16
    (NOTE.replace("\n", "\r\n"), 4),
]


@every_row("text, behind", SARIF_FILES)
def test_sarif_has_a_result_with_the_place_of_each_slip(text, behind, check):
    code, out, _ = check({"a.md": text}, "a.md", "--format", "sarif")
    run = run_in(out)
    assert (code, run["columnKind"]) == (1, "unicodeCodePoints")
    [result] = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a.md"
    numbers = dict(zip(PLACED, (5, 26, 31, NOTE.index("0.938") + behind, 5), strict=True))
    assert place["region"] == {**numbers, "snippet": {"text": "0.938"}}
    assert result["properties"]["causes"] == ["truncated"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


@every_row("stated, severity", [("4.26", ""), ("4.27", "last digit"), ("4.28", "value")])
def test_json_tells_a_slip_of_the_last_digit_from_a_wrong_value(stated, severity, check):
    _, out, _ = check({"a.md": f"DCG = 3/log2(2) + 2/log2(3) = {stated}\n"}, "a.md", "--format", "json")
    assert [each["severity"] for each in json.loads(out)["findings"] if each["stated"] == stated] == [severity]


ONLY = ["--fail-on", "wrong"]
FAILING = [
    # what is printed for 4.2619 and for 2 x 2, options, code, the counts, the level in SARIF and for GitHub
    ("4.27", "4.0", [], 1, "2 found: 1 agrees, 1 slip (1 in the last digit)", "error"),
    ("4.27", "4.0", ONLY, 0, "2 found: 1 agrees, 1 slip (1 in the last digit)", "warning"),
    ("4.28", "4.0", ONLY, 1, "2 found: 1 agrees, 1 slip", "error"),
    ("4.27", "4.5", ONLY, 1, "2 found: 2 slip (1 in the last digit)", "warning"),
]


@every_row("first, second, options, code, counts, level", FAILING)
def test_slips_of_the_last_digit_pass_if_only_wrong_values_fail(first, second, options, code, counts, level, check):
    files = {"a.md": f"DCG = 3/log2(2) + 2/log2(3) = {first}\n\nDCG = 2/log2(2) + 4/log2(4) = {second}\n"}
    found, out, _ = check(files, "a.md", *options)
    assert (found, out.splitlines()[-1]) == (code, counts)
    assert ("; in the last digit\n" in out) == (first == "4.27")
    found, out, _ = check(files, "a.md", *options, "--format", "sarif")
    assert (found, run_in(out)["results"][0]["level"]) == (code, level)
    found, out, _ = check(files, "a.md", *options, "--format", "github")
    assert (found, out.partition(" ")[0]) == (code, f"::{level}")


def test_the_numbers_that_are_not_judged_are_listed_if_asked_for(check):
    files = {"a.md": "We got DCG = 4.12 here. DCG = 3/log2(2) + 2/log2(3) = 4.26\n"}
    reason = "grades 3, 2 give 4.26186, and it may be about others"
    printed = {form: check(files, "a.md", "--unchecked", "--format", form) for form in FORMATS}
    assert check(files, "a.md")[1] == f"2 found: 1 agrees, 0 slip, 1 unchecked\n    1 unchecked: {reason}\n"
    said = f"○ unchecked: DCG: stated 4.12; {reason}"
    assert (printed["text"][0], printed["text"][1].splitlines()[1]) == (0, f"a.md:1:14: {said}")
    assert printed["github"][1] == f"::notice file=a.md,line=1,col=14,endColumn=18::{said}\n"
    [result] = run_in(printed["sarif"][1])["results"]
    assert (result["ruleId"], result["level"]) == ("unchecked", "note")
    assert result["message"]["text"].endswith(reason)
    assert run_in(check(files, "a.md", "--format", "sarif")[1])["results"] == []
    findings = json.loads(printed["json"][1])["findings"]
    assert [each["reason"] for each in findings] == [reason, ""]
    assert [files["a.md"][each["offset"] :][: each["length"]] for each in findings] == ["4.12", "4.26"]
    assert printed["baseline"][1] == ""
    folded, opened = check(files, "a.md", "--format", "html")[1], printed["html"][1]
    assert ["<details>" in folded, "<details open>" in opened] == [True, True]
    assert "Nothing that was judged is wrong." in folded


AGREES = judge("0.94", 0.938557, "NDCG@3")
ABOVE = judge("1.04", None, "NDCG", reason="an NDCG is never above 1")
OUTCOME_FINDINGS = [Finding(0, 4, 1, 1, "0.94", AGREES, "consistent"), Finding(5, 4, 1, 6, "1.04", ABOVE, "impossible")]
CONSISTENT = "≈ consistent: NDCG@3: stated 0.94, computed 0.93856; the note does not say that it is NDCG@3"
IMPOSSIBLE = "‼ impossible: NDCG: stated 1.04; an NDCG is never above 1"


def test_a_quantity_without_a_value_is_null_in_json():
    finding = Finding(0, 4, 1, 1, "0.94", judge("0.94", math.nan, "NDCG"), "undefined")
    (line,) = FORMATS["json"](Report([FileFinding("a.md", "0.94", finding)]))
    (found,) = json.loads(line, parse_constant=pytest.fail)["findings"]
    assert (found["computed"], found["reason"]) == (None, "no ideal gain to divide by")


def reported(form, **options):
    """What a format makes of a consistent number and an impossible one."""
    report = Report([FileFinding("a.md", "0.94 1.04\n", each) for each in OUTCOME_FINDINGS], **options)
    return report, "\n".join(FORMATS[form](report))


def test_a_number_that_is_impossible_is_wrong_in_every_format_and_a_consistent_one_is_apart():
    report, out = reported("text")
    counts = "2 found: 1 consistent, 0 slip, 1 impossible"
    assert out.splitlines() == [f"a.md:1:6: {IMPOSSIBLE}", "    0.94 1.04", "         ^^^^", counts]
    assert [report.fails(each) for each in report.findings] == [False, True]
    assert reported("text", unchecked=True)[1].startswith(f"a.md:1:1: {CONSISTENT}\n")
    assert reported("text", passes="last digit")[0].fails(report.findings[1])
    found = json.loads(reported("json")[1])
    outcomes = [(each["outcome"], each["severity"]) for each in found["findings"]]
    assert outcomes == [("consistent", ""), ("impossible", "value")]
    assert found["counts"] == {"consistent": 1, "impossible": 1}
    results = run_in(reported("sarif", unchecked=True)[1])["results"]
    assert [(each["ruleId"], each["level"]) for each in results] == [("consistent", "note"), ("impossible", "error")]
    commands = [line.partition(" ")[0] for line in reported("github", unchecked=True)[1].splitlines()]
    assert commands == ["::notice", "::error"]
    assert [json.loads(line)["stated"] for line in reported("baseline")[1].splitlines()] == ["1.04"]


class Page(HTMLParser):
    """What is on a page: the elements that are open, those with an id, the targets of links, and the text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.targets, self.texts = [], [], [], []
        self.feed(text)
        self.close()
        self.text = " ".join("".join(self.texts).split())

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        assert tag != "script"
        self.ids += [given["id"]] if "id" in given else []
        self.targets += [given["href"]] if "href" in given else []
        self.open += [tag] if tag != "meta" else []

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts += [data] if self.open[-1:] != ["style"] else []


MARKED = "NDCG@3 = 4.000✓ / 4.262✓ = 0.938✗ slip → 0.939"


def test_a_page_shows_what_is_wrong_first_then_the_note_with_its_numbers_marked(check):
    text = f"{NOTE}\nDCG = 2/log2(2) + 4/log2(4) = 4.5\n\n<script>alert(1)</script>\n"
    code, out, _ = check({"a b.md": text, "c.ipynb": "no JSON"}, "a b.md", "c.ipynb", "--format", "html")
    page = Page(out)
    assert (code, page.open) == (2, [])
    assert "default-src 'none'" in out
    assert not re.search("(?:src|href)=['\"](?!#)|@import|url[(]", out)
    assert len(page.targets) == 2
    assert {each[1:] for each in page.targets} <= {*page.ids}
    assert "2 ✗ slip no right rounding of the value, 1 of them in the last digit" in page.text
    assert re.search(
        "What is wrong .*wrong value a b.md, line 7: DCG 4.5; right is 4.0 .*in the last digit a b.md, line 5"
        ".*truncated: the digits were cut toward zero.*What was understood",
        page.text,
    )
    assert "Lines 3 to 5: grades 3, 0, 2; linear gain, log2(rank + 1)" in page.text
    assert MARKED in page.text
    assert "4.5✗ slip → 4.0 <script>alert(1)</script>" in page.text
    assert "c.ipynb Not read: expected a notebook in JSON" in page.text


def test_of_a_notebook_and_a_page_the_text_is_shown_that_was_read(check):
    files = {"a.ipynb": as_notebook(NOTE), "b.html": f"<p>{NOTE.replace(chr(10), '<br>')}</p>"}
    shown = [Page(check(files, name, "--format", "html")[1]).text for name in files]
    assert [(MARKED in text, "cell_type" in text) for text in shown] == [(True, False)] * 2


def test_a_page_names_what_was_not_read_and_shows_each_outcome_as_a_word():
    found = [FileFinding("a.md", "0.94 1.04\n", each) for each in OUTCOME_FINDINGS]
    note = Note("a.md", "0.94 1.04\n", left="line 2 and all below it were not read: that takes more than 9 steps")
    page = Page("\n".join(FORMATS["html"](Report(found, [note]))))
    assert "1 ≈ consistent a value of the ranking, and the note does not say which" in page.text
    assert "‼ impossible wrong value line 1: NDCG 1.04; an NDCG is never above 1" in page.text
    assert "Not read: line 2 and all below it were not read" in page.text
    assert "0.94≈ 1.04‼ impossible" in page.text


def test_github_gets_an_annotation_for_each_slip_and_nothing_else(check):
    name = "50%, a:b.md"
    code, out, _ = check({name: NOTE, "right.md": CORRECT}, name, "right.md", "--format", "github")
    assert (code, out.count("\n")) == (1, 1)
    assert out.startswith("::error file=50%25%2C a%3Ab.md,line=5,col=26,endColumn=31::✗ slip: NDCG@3")
    said = workflow_command("error", "97.8%\r\n%0A: a, b", {"file": "a.md"})
    assert said == "::error file=a.md::97.8%25%0D%0A%250A: a, b"
    assert workflow_command("error", "\x1b[2J", {}) == "::error ::%1B[2J"  # which would clear a terminal


# DCG = 3 + 2/log2(3) + 3/2 + 0 + 1/log2(6) = 6.148712, IDCG = 6.323466, NDCG = 0.972364;
# by the original formula 7.323466, 7.761860, 0.943520
STATED = ["--grades", "3,2,3,0,1"]
TYPED = [
    # lines, options, what each line with a slip ends with
    ("DCG = 6.149\nIDCG = 6.323\nNDCG = 0.972", STATED, []),
    (
        "DCG = 6.149\nIDCG = 6.400\nNDCG = 0.961",  # 6.149/6.400 = 0.9608: the ideal is the wrong step
        STATED,
        [
            "-:2:8: ✗ slip: IDCG: stated 6.400, computed 6.323466, correct 6.323; unexplained",
            "-:3:8: ✗ slip: NDCG: stated 0.961, computed 0.972364, correct 0.972; consistent with inherited",
        ],
    ),
    (
        "DCG = 7.323",
        [*STATED, "--as", "STANDARD"],
        ["-:1:7: ✗ slip: DCG: stated 7.323, computed 6.148712, correct 6.149; consistent with convention"],
    ),
    # without a number that comes out, no slip
    ("Grades [3, 2, 3, 0, 1]: DCG = 7.323, IDCG = 7.762, NDCG = 0.944.", ["--as", "STANDARD"], []),
]


@every_row("text, options, slips", TYPED)
def test_check_takes_what_a_note_leaves_out_from_its_options(text, options, slips, check, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    code, out, _ = check({}, "-", *options)
    assert [line for line in out.splitlines() if re.match("-:[0-9]+:[0-9]+:", line)] == slips
    assert code == bool(slips)


SECOND = "Grades [3, 0, 2].\n\nDCG@3 = 3/log2(2) + 0/log2(3) + 2/log2(4) = 4.000\nIDCG@3 = 3/log2(2) + 2/log2(3) = "
LATIN = (
    "Notes [3, 0, 2].\n\nDCG@3 = 3/1 + 0/1,585 + 2/2 = 4,000\nIDCG@3 = 3/1 + 2/1,585 = 4,262\nNDCG@3 = 4,000/4,262 = "
)

# The ideal is divided by itself, which no digits mend
WRONG = f"{SECOND}4.262\nNDCG@3 = 4.262/4.262 = 1.000\n"
WORKED = "The grades are 3, 2, 3, 0, 1.\n\nDCG@2 = 4.262\n\nDCG@3 = 5.762\n\nIDCG@2 = 4.893\n\nDCG = 6.149\n\n"
LEFT = [WRONG, f"{WORKED}IDCG = 6.400\n\nNDCG = 0.961\n"]

PATCHES = [
    # the note, the note as corrected
    (NOTE, CORRECT),
    (CORRECT, CORRECT),
    (NOTE.replace("\n", "\r\n"), CORRECT.replace("\n", "\r\n")),
    ("\ufeff" + NOTE, "\ufeff" + CORRECT),
    (f"{LATIN}0,938\n", f"{LATIN}0,939\n"),
    # the ideal is truncated, and the ratio takes it as printed: 4.000/4.261 = 0.93875, and 4.000/4.25 = 0.94118
    (f"{SECOND}4.261\nNDCG@3 = 4.000/4.261 = 0.939\n", f"{SECOND}4.262\nNDCG@3 = 4.000/4.262 = 0.939\n"),
    # the working is right, whatever the result was copied from
    (f"{SECOND}5.893\nNDCG@3 = 4.000/5.893 = 0.679\n", f"{SECOND}4.262\nNDCG@3 = 4.000/4.262 = 0.939\n"),
    # a digit that is wrong by 1 is one, and so is the same number in a sentence
    (CORRECT.replace("0.939", "0.929"), CORRECT),
    # what follows from a wrong digit, without a working
    (f"{WORKED}IDCG = 6.823\n\nNDCG = 0.901\n", f"{WORKED}IDCG = 6.323\n\nNDCG = 0.972\n"),
    # a wrong working is left, and what is worked out of a value that no cause explains
    *((note, note) for note in LEFT),
]
PROGRAMS = [["patch", "-p1", "-s"], ["git", "apply"]]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("name", ["a.md", "b c/d.md", "e.ipynb"])
@every_row("before, after", PATCHES)
def test_the_patch_corrects_the_digits_and_nothing_else(before, after, name, program, check, tmp_path):
    old, new = ((as_notebook(note) if "ipynb" in name else note) for note in (before, after))
    code, patch, _ = check({name: old}, name, "--diff")
    assert code == int(before != after or before in LEFT)
    assert bool(patch) == (before != after)
    if patch:
        subprocess.run(program, input=patch.encode(), cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / name).read_bytes().decode() == new
    assert check({}, name, "--diff")[1] == ""


@pytest.mark.parametrize("program", PROGRAMS)
@every_row("name", ["a\n+++ other.md\n@@ -1 +1 @@.md", 'a"b.md', "a\\b.md", "a\tb.md", "a\udcff.md"])
def test_a_patch_quotes_a_name_that_could_be_read_as_another_line(name, program, check, tmp_path):
    _, patch, _ = check({name: NOTE, "other.md": "left as it is\n"}, name, "--diff")
    assert [line[:5] for line in patch.splitlines()[:3]] == ['--- "', '+++ "', "@@ -2"]
    subprocess.run(program, input=patch.encode(), cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / name).read_text("utf-8") == CORRECT
    assert (tmp_path / "other.md").read_text("utf-8") == "left as it is\n"


def test_a_percent_sign_of_latex_ends_no_patch(check):
    files = {"a.md": "NDCG $2\\times0\\%=3$\n", "b.md": "$NDCG = 50.0\\%/80.0\\% = 0.60$\n", "c.md": NOTE}
    code, patch, err = check(files, *files, "--diff")
    assert (code, "refused" in err, patch.count("+++ ")) == (1, False, 3)
    assert r"+$NDCG = 50.0\%/80.0\% = 0.63$" in patch  # 5/8 = 0.625
    assert "+NDCG@3 = 4.000 / 4.262 = 0.939" in patch


HOSTILE = "\x1b[2J\u202e##[error]\u2028"
ESCAPED = r"\x1b[2J\u202e\x23#[error]\u2028"


@every_row("options", [[], ["--explain"]])
def test_what_a_terminal_or_a_log_obeys_is_shown_escaped(options, check):
    note = f"Grades [3, 0, 2].\n\n::error {HOSTILE}DCG@3 = 3 + 0 + 1 = 4.01\n"
    code, out, _ = check({f"::{HOSTILE}\n.md": note}, f"::{HOSTILE}\n.md", *options)
    assert code == 1
    assert out.startswith(rf"\x3a:{ESCAPED}\n.md:")
    assert not re.search("[\x1b\u202e\u2028]|##\\[|^ *::", out, re.MULTILINE)
    if not options:
        _, _, shown, caret, _ = out.splitlines()
        assert shown == rf"    \x3a:error {ESCAPED}DCG@3 = 3 + 0 + 1 = 4.01"
        assert shown[caret.index("^") : len(caret)] == "4.01"


def test_the_slips_that_a_patch_leaves_are_named(check):
    code, patch, err = check({"a.md": WRONG}, "a.md", "--diff")
    assert (code, patch) == (1, "")
    assert err.startswith("left: a.md:5:24: ✗ slip: NDCG@3: stated 1.000, computed 0.938557, correct 0.939")


def test_the_hook_for_commits_runs_the_command_on_the_notes_that_are_named():
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert hook["entry"] == "ndcg-ref check"
    assert not hook["pass_filenames"]
    suffixes = [suffix for suffix in SUFFIXES if re.search(hook["files"], f"notes/a{suffix}")]
    assert suffixes == list(SUFFIXES)


KNOWN = {"file": "a.md", "stated": "0.938", "name": "NDCG@3", "text": "NDCG@3 = 4.000 / 4.262 = 0.938"}
BASELINE = ["--baseline", "known.jsonl"]
IS_KNOWN, IS_NONE = "1 slip known from the baseline", "0.938 (NDCG@3) is in the baseline, and no slip any longer"
MORE = [KNOWN, KNOWN, {**KNOWN, "file": "gone.md"}]
BASELINES = [
    # the note, the known slips, code, what is printed to stderr
    (NOTE, [KNOWN], 0, [IS_KNOWN]),
    (NOTE, [], 1, []),
    (CORRECT, [KNOWN], 1, [f"a.md: {IS_NONE}"]),
    (NOTE, MORE, 1, [IS_KNOWN, f"a.md: {IS_NONE}", f"gone.md: {IS_NONE}"]),
]


@every_row("note, known, code, said", BASELINES)
def test_a_baseline_has_all_the_slips_and_no_other(note, known, code, said, check):
    lines = "".join(json.dumps(each) + "\n" for each in known)
    found, _, err = check({"a.md": note, "known.jsonl": lines}, "a.md", *BASELINE)
    assert found == code
    assert err.splitlines() == [f"ndcg-ref check: {line}" for line in said]
    assert bool(check({}, "a.md", *BASELINE, "--diff")[1]) == (note == NOTE and not known)


def test_a_patch_changes_a_slip_beside_one_that_is_known(check):
    known = json.dumps({**KNOWN, "text": "NDCG@3 = 4.000/4.261 = 0.938"})
    files = {"a.md": f"{SECOND}4.261\nNDCG@3 = 4.000/4.261 = 0.938\n", "known.jsonl": known}
    _, patch, err = check(files, "a.md", "--diff", *BASELINE)
    assert re.findall("^[-+](IDCG|NDCG).* = (.*)", patch, re.MULTILINE) == [("IDCG", "4.261"), ("IDCG", "4.262")]
    assert "left: " not in err


def test_what_check_prints_as_a_baseline_is_one(check):
    note = NOTE.replace("Grades", "Ä\u2028 Grades").replace("NDCG@3 =", "ä\u2028 NDCG@3 =")
    code, out, _ = check({"a.md": note}, "a.md", "--format", "baseline")
    assert code == 1
    assert out.count("\n") == 1
    assert check({"known.jsonl": out}, "a.md", "--baseline", "known.jsonl")[0] == 0


UNUSABLE = [
    # options, the content of known.jsonl, the message
    (["--grades", "3,x"], "", "grade 2: expected a printed number such as 0.63, 97.8% or 1/3, got 'x'"),
    (["--grades", "3,-1"], "", "grades[1]: expected a grade of 0 or more, got -1"),
    (["--as", "my-own"], "", "preset: expected the name of a library"),
    (BASELINE, "no JSON\n", "known.jsonl:1: expected an object with file, stated, name, text, got no JSON"),
    (BASELINE, json.dumps(KNOWN) + '\n{"file": "a.md"}\n', "known.jsonl:2: expected an object with file, stated, name"),
    (["--baseline", "none.jsonl"], "", "none.jsonl: No such file or directory"),
]


@every_row("options, known, message", UNUSABLE)
def test_an_option_that_makes_no_sense_and_a_baseline_that_is_none_are_refused_with_2(options, known, message, check):
    code, out, err = check({"a.md": NOTE, "known.jsonl": known}, "a.md", *options)
    assert (code, out) == (2, "")
    assert err.startswith(f"ndcg-ref check: {message}")


IGNORED = "1 slip ignored by a comment on the line, or declared"
NO_REASON = "expected a reason behind 'ndcg-ref: ignore', found none"
WORKING = "DCG = 3 + 0 + 1 = 4.10"
MARKED_SLIPS = [
    # a note, the code, what is printed to stderr: a comment with a reason, and a directive that the build will check
    (NOTE.replace("0.938", "0.938 <!-- ndcg-ref: ignore truncated on purpose -->"), 0, IGNORED),
    (NOTE.replace("0.938", "0.938 % ndcg-ref: ignore as the paper prints it"), 0, IGNORED),
    (NOTE.replace("0.938", "0.938 <!-- ndcg-ref: ignore -->"), 2, f"a.rst: line 5: {NO_REASON}"),
    (NOTE.replace("0.938", "0.938\n<!-- ndcg-ref: ignore on another line -->"), 1, ""),
    (NOTE.replace("0.938", "0.938 <!-- ndcg-ref: ignored -->"), 1, ""),
    (f"```{{ndcg}} DCG\n:grades: 3, 0, 2\n:slip: unexplained\n\n{WORKING}\n```\n", 0, IGNORED),
    (f"```{{ndcg}} DCG\n:grades: 3, 0, 2\n\n{WORKING}\n```\n", 1, ""),
    (f"```{{ndcg}} DCG\n:slip: term\n\nDCG = 3/1 = 3\n```\n\n{WORKING}\n", 1, ""),
    (f".. ndcg:: DCG\n   :grades: 3, 0, 2\n   :slip: unexplained\n\n   {WORKING}\n", 0, IGNORED),
    (f".. ndcg:: DCG\n   :slip: term\n\n   DCG = 3/1 = 3\n\n{WORKING}\n", 1, ""),
]


@every_row("note, code, said", MARKED_SLIPS)
def test_a_slip_is_left_where_the_note_says_so_with_a_reason(note, code, said, check):
    found, _, err = check({"a.rst": note}, "a.rst")
    assert (found, err) == (code, said and f"ndcg-ref check: {said}\n")
    assert bool(check({}, "a.rst", "--diff")[1]) == (code == 1)
    if not note.startswith(".."):
        found, _, err = check({"a.ipynb": as_notebook(note)}, "a.ipynb")
        assert (found, err.rpartition(": ")[2]) == (code, said and f"{said}\n".rpartition(": ")[2])
