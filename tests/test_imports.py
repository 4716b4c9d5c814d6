"""Imports go one way, and nothing is loaded before it is used.

`convention` comes before both witnesses, which do not know each other; `stated` comes after the plain one; the page and
the command come last. All but the modules over arrays and `sphinx_ext` run on the standard library alone, so that they
work where numpy does not.
"""

import ast
import inspect
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

import ndcg_ref
from ndcg_ref import comparing, convention, differences, gating, matches, mean_matches, measures, presets, stated
from ndcg_ref.runs import arrays
from ndcg_ref.runs import evaluation as runs_evaluation

PACKAGE = Path(ndcg_ref.__file__).parent

# What each module may import of the package, besides `validation`. A new module gets a row; no row may close a circle.
MAY_IMPORT = {
    # module: modules
    "validation": set(),
    "convention": set(),
    "presets": {"convention"},
    "named": {"convention", "presets"},  # the latter for a name alone: see below
    "plain": {"convention", "named"},
    "rankings": set(),
    "relevance": {"rankings"},
    "measures": {"convention", "named", "rankings", "relevance"},  # not plain: they are two witnesses
    "spellings": {"convention", "named", "presets"},
    "query_text": {"convention", "spellings"},
    "query_checks": {"convention", "query_text", "spellings"},
    "query_counts": {"excluded", "query_text"},
    "excluded": {"presets"},
    "markup": set(),
    "kinds": {"convention", "excluded", "plain", "presets"},
    "significance": set(),
    "runs": set(),
    "runs.packed": set(),
    "runs.sources": {"runs.packed"},
    "runs.lines": {"runs.columns", "runs.sources"},
    "runs.fields": {"runs.lines"},
    "runs.trec": {"runs.fields", "runs.lines", "runs.sources"},
    "runs.batch": set(),
    "runs.blocks": {"runs.batch", "runs.fields", "runs.lines", "runs.sources"},
    "runs.columns": set(),
    "runs.nested": {"runs.lines", "runs.sources"},
    "runs.formats": {"runs.columns", "runs.lines"},
    "runs.tables": {"runs.columns", "runs.formats", "runs.lines", "runs.nested", "runs.sources"},
    "runs.frames": {"runs.columns"},
    "runs.given": set(),
    "runs.parquet": set(),
    "runs.engines": {
        *("convention", "query_checks", "query_counts", "query_text", "runs.columns", "runs.parquet", "runs.result"),
        *("runs.given", "runs.sources", "runs.tallies", "spellings"),
    },
    "runs.inputs": {
        *("runs.engines", "runs.formats", "runs.frames", "runs.given", "runs.parquet", "runs.sources", "runs.tables"),
        "runs.trec",
    },
    "runs.streams": {
        *("runs.batch", "runs.blocks", "runs.engines", "runs.formats", "runs.frames", "runs.given", "runs.inputs"),
        *("runs.sources", "runs.tables", "runs.trec"),
    },
    "runs.rows": set(),
    "runs.ties": {"convention", "runs.batch", "runs.rows"},
    "runs.sums": {"convention", "measures", "runs.rows", "runs.ties"},
    "runs.arrays": {"convention", "measures", "named", "runs.batch", "runs.rows", "runs.sums", "runs.ties"},
    "runs.found": {"runs.rows", "spellings"},
    "runs.values": {
        *("convention", "excluded", "measures", "runs.batch", "runs.found", "runs.rows", "runs.sums"),
        *("runs.tallies", "runs.ties", "spellings"),
    },
    "runs.result": {"convention", "excluded", "markup", "significance", "spellings"},
    "runs.tallies": {"convention", "excluded", "runs.result", "spellings"},
    "runs.evaluation": {
        *("convention", "presets", "runs.batch", "runs.engines", "runs.given", "runs.inputs", "runs.result"),
        *("runs.streams", "runs.tallies", "runs.values", "spellings"),
    },
    "comparing": {
        *("choices", "convention", "excluded", "markup", "runs.evaluation", "runs.given", "runs.inputs"),
        *("runs.result", "significance", "spellings"),
    },
    "trec": {"runs.sources", "runs.trec"},
    "stated.number": set(),
    "stated.tokens": set(),
    "stated.expression": {"stated.tokens"},
    "stated.equation": {"stated.expression", "stated.number", "stated.tokens"},
    "stated.claim": {"stated.number"},
    "stated.alternatives": {"convention", "named", "plain", "stated.claim", "stated.number"},
    "stated.causes": {"stated.claim", "stated.number"},
    "stated.records": set(),
    "stated.display": {"stated.records"},
    "stated.ledgers": {"stated.display", "stated.records"},
    "stated.derivation": {"stated.causes", "stated.claim", "stated.display", "stated.number", "stated.records"},
    "stated.verdict": {
        *("stated.causes", "stated.claim", "stated.derivation", "stated.display", "stated.number", "stated.records"),
    },
    "stated.lines": {"stated.claim", "stated.equation", "stated.number"},
    "stated.tables": {
        *("convention", "stated.alternatives", "stated.causes", "stated.claim", "stated.number", "stated.verdict"),
    },
    "stated.checks": {
        *("convention", "stated.alternatives", "stated.causes", "stated.claim", "stated.display", "stated.lines"),
        *("stated.number", "stated.tables", "stated.verdict"),
    },
    "stated": {
        *("stated.alternatives", "stated.checks", "stated.equation", "stated.ledgers", "stated.number"),
        *("stated.tables", "stated.verdict"),
    },
    "stated.exercises": {
        *("convention", "plain", "stated.alternatives", "stated.causes", "stated.claim", "stated.display"),
        *("stated.number", "stated.verdict"),
    },
    "teaching": set(),
    "teaching.questions": {"convention", "plain", "stated.exercises", "stated.number"},
    "teaching.quiz": {
        *("convention", "plain", "stated.alternatives", "stated.causes", "stated.display", "stated.equation"),
        *("stated.exercises", "stated.lines", "stated.verdict"),
    },
    "teaching.sheets": {"teaching.questions"},
    "teaching.grading": {"markup", "stated.alternatives", "stated.number", "stated.verdict", "teaching.questions"},
    "notes.patterns": set(),
    "notes.languages": set(),
    "notes.words": {"notes.languages", "notes.patterns"},
    "notes.formulas": {"notes.patterns", "notes.words"},
    "notes.documents": {"notes.patterns"},
    "notes.tables": {"notes.patterns", "notes.words", "stated.number"},
    "notes.islands": {"notes.patterns", "notes.words", "stated.equation", "stated.tokens"},
    "notes.relations": {"notes.grades", "notes.tables", "notes.words", "stated.equation", "stated.number"},
    "notes.grades": {
        *("convention", "notes.patterns", "notes.words", "plain", "stated.equation", "stated.expression"),
    },
    "notes.names": {"notes.grades", "notes.patterns", "notes.tables", "notes.words"},
    "notes.crossed": {
        *("notes.claims", "notes.grades", "notes.names", "notes.patterns", "notes.tables", "notes.words"),
        "stated.number",
    },
    "notes.claims": {
        *("convention", "notes.grades", "notes.inverse", "notes.islands", "notes.patterns", "notes.words"),
        "notes.names",
        *("stated.equation", "stated.expression", "stated.number", "stated.tokens"),
        "notes.relations",
    },
    "notes.sentences": {"notes.claims", "notes.names", "notes.patterns", "notes.words", "stated.number"},
    "notes.calls": {"notes.claims", "notes.patterns", "stated.number"},
    "notes.users": {"notes.patterns", "notes.words"},
    "notes.measured": {"convention", "notes.users", "plain"},
    "notes.inverse": {"convention", "notes.grades", "plain", "stated.number"},
    "notes.columns": {
        *("notes.claims", "notes.grades", "notes.names", "notes.patterns", "notes.tables", "notes.words"),
        *("notes.relations", "stated.number"),
    },
    "notes.examples": {
        *("convention", "notes.calls", "notes.claims", "notes.columns", "notes.crossed", "notes.formulas"),
        *("notes.grades", "notes.islands", "notes.names", "notes.patterns", "notes.sentences", "notes.tables"),
        *("notes.relations", "notes.users", "notes.words"),
    },
    "notes.readings": {
        *("convention", "notes.claims", "notes.columns", "notes.examples", "notes.grades", "notes.inverse"),
        *("notes.measured", "notes.users", "stated.number"),
    },
    "notes.differences": {
        *("notes.claims", "notes.documents", "notes.islands", "notes.patterns", "notes.words"),
        *("stated.display", "stated.number", "stated.verdict"),
    },
    "notes.means": {
        *("notes.claims", "notes.documents", "notes.islands", "notes.patterns", "notes.words"),
        *("stated.display", "stated.number", "stated.verdict"),
    },
    "notes.certainty": {
        *("notes.claims", "notes.examples", "notes.grades", "notes.inverse", "notes.measured", "notes.readings"),
        "notes.words",
    },
    "notes.verdicts": {
        *(
            "convention",
            "notes.certainty",
            "notes.claims",
            "notes.examples",
            "notes.measured",
            "notes.patterns",
            "notes.readings",
            "notes.users",
        ),
        *("notes.words", "stated.alternatives", "stated.display", "stated.number", "stated.verdict"),
        *("notes.relations", "stated.equation"),
    },
    "notes.findings": {
        *("convention", "notes.claims", "notes.differences", "notes.documents", "notes.examples", "notes.islands"),
        *("notes.means", "notes.patterns", "notes.readings", "notes.verdicts", "plain", "stated.display"),
        "stated.verdict",
    },
    "notes.explanations": {
        *("convention", "notes.claims", "notes.documents", "notes.examples", "notes.findings", "notes.readings"),
    },
    "notes": {"notes.findings"},
    "readings": {"stated", "stated.causes", "stated.number", "stated.verdict"},
    "matches": {"convention", "excluded", "kinds", "plain", "presets", "readings", "stated"},
    "mean_matches": {
        *("convention", "excluded", "matches", "presets", "readings", "runs.evaluation", "runs.given", "runs.inputs"),
        *("spellings", "stated"),
    },
    "answers.notation": set(),
    "answers.asked": {
        *("answers.notation", "convention", "named", "plain", "stated.alternatives", "stated.claim", "stated.number"),
    },
    "answers.printed": {
        *("answers.asked", "answers.notation", "matches", "stated.alternatives", "stated.causes", "stated.claim"),
        *("stated.number", "stated.verdict"),
    },
    "answers.conventions": {"convention", "named", "answers.asked", "choices", "excluded", "matches", "stated.verdict"},
    "answers.hints": {"stated.causes"},
    "answers.working": {
        *("answers.asked", "answers.hints", "convention", "stated.alternatives", "stated.causes", "stated.claim"),
        *("stated.number", "stated.verdict"),
    },
    "answers.lines": {
        *("answers.asked", "answers.hints", "answers.notation", "answers.printed", "answers.working"),
        *("stated.alternatives", "stated.causes", "stated.claim", "stated.equation", "stated.lines", "stated.number"),
        *("stated.tokens", "stated.verdict"),
    },
    "answers.notes": {"answers.printed", "notes", "stated.display"},
    "answers": {"answers.conventions", "answers.lines", "answers.notes", "answers.printed", "answers.working"},
    "choices": {"convention", "named", "plain"},
    "differences": {
        *("choices", "convention", "excluded", "markup", "plain", "runs.evaluation", "runs.given", "runs.inputs"),
        *("runs.result", "spellings"),
    },
    "gating": {
        *("choices", "convention", "markup", "runs.evaluation", "runs.given", "runs.inputs", "runs.result"),
        *("runs.tallies", "spellings"),
    },
    "": {
        "comparing",
        "convention",
        "differences",
        "gating",
        "matches",
        "mean_matches",
        "measures",
        "presets",
        "runs.arrays",
        "runs.evaluation",
        "runs.result",
    },  # ndcg_ref itself, and for type checkers alone
    "drawing": {"convention", "named", "plain", "stated.display"},
    "pages": set(),
    "pages.verdicts": {"stated.display", "stated.records"},
    "pages.ticks": {"pages.verdicts", "stated.display", "stated.records"},
    "pages.drawings": {"", "drawing"},
    "pages.typed": {
        *("answers.asked", "commands.shared", "notes.words", "plain", "stated.alternatives", "stated.checks"),
        *("stated.claim", "stated.lines", "stated.tables", "stated.verdict"),
    },
    "pages.prose": {"notes"},
    "pages.marks": {
        *("commands.baselines", "pages.prose", "pages.roles", "pages.ticks"),
        *("pages.verdicts", "stated.display", "stated.records"),
    },
    "pages.ledgers": {"pages.roles", "pages.ticks", "stated.ledgers", "stated.records"},
    "pages.roles": {
        *(
            "pages.prose",
            "pages.typed",
            "pages.verdicts",
            "stated.checks",
            "stated.display",
            "stated.records",
            "stated.verdict",
        ),
    },
    "pages.folds": {"pages.ticks", "pages.verdicts", "stated.display", "stated.records"},
    "sphinx_ext": {
        *("", "drawing", "pages.drawings", "pages.folds", "pages.marks", "pages.roles", "pages.ticks"),
        *("pages.verdicts", "stated.display"),
    },
    "commands": set(),
    "commands.arguments": {"spellings"},
    "commands.shared": {"excluded", "spellings", "stated", "stated.number"},
    "commands.judging": {"commands.shared", "convention", "matches", "named", "plain", "stated", "stated.causes"},
    "commands.evaluation": {
        *("commands.shared", "markup", "runs.evaluation", "runs.inputs", "runs.parquet", "runs.result"),
    },
    "commands.gating": {"commands.shared", "commands.workflows", "gating"},
    "commands.workflows": set(),
    "commands.query": {"query_checks", "query_text"},
    "commands.note_files": {"commands.baselines", "commands.findings_formats", "notes", "notes.documents"},
    "commands.findings_formats": {"", "commands.workflows", "notes"},
    "commands.baselines": {"commands.findings_formats"},
    "commands.workings": {
        *("notes.documents", "notes.findings", "notes.islands", "stated.equation", "stated.expression"),
        "stated.number",
    },
    "commands.corrections": {"commands.workings", "notes", "notes.documents"},
    "commands.note_explanations": {"convention", "notes.explanations", "notes.readings"},
    "commands.checking": {
        *("commands.baselines", "commands.corrections", "commands.findings_formats", "commands.note_explanations"),
        *("commands.note_files", "commands.shared", "named", "notes", "notes.documents", "notes.explanations", "plain"),
    },
    "pytest_plugin": {"commands.findings_formats", "commands.note_files"},
    "commands.comparison": {"commands.shared", "differences", "matches", "mean_matches"},
    "commands.run_comparison": {"commands.shared", "comparing"},
    "commands.homework": {"teaching.grading", "teaching.questions", "teaching.sheets"},
    "commands.listing": {"commands.shared", "named", "presets", "spellings", "stated.ledgers"},
    "cli": {"", "commands.arguments", "presets"},  # and the module of the command that is given, by its name
    "__main__": {"cli"},
}

# What a module may import from elsewhere, besides the standard library
ELSEWHERE = {
    # module: packages
    "rankings": {"numpy"},
    "significance": {"numpy"},
    "comparing": {"matplotlib", "numpy"},  # the former to draw alone: see below
    "relevance": {"numpy"},
    "measures": {"numpy"},
    "runs.fields": {"numpy"},
    "runs.trec": {"numpy"},
    "runs.batch": {"numpy"},
    "runs.blocks": {"numpy"},
    "runs.rows": {"numpy"},
    "runs.ties": {"numpy"},
    "runs.sums": {"numpy"},
    "runs.arrays": {"numpy"},
    "runs.found": {"numpy"},
    "runs.values": {"numpy"},
    "runs.engines": {"duckdb", "pyspark"},  # inside a function alone: see below
    "runs.result": {"matplotlib", "pandas"},  # inside a function alone: see below
    "stated.display": {"IPython"},  # where it runs already: see below
    "pages.verdicts": {"docutils"},
    "pages.ticks": {"docutils", "sphinx"},
    "pages.drawings": {"docutils", "sphinx"},
    "pages.folds": {"docutils", "sphinx"},
    "pages.roles": {"docutils", "sphinx"},
    "pages.marks": {"docutils", "sphinx"},
    "pages.ledgers": {"docutils", "sphinx"},
    "sphinx_ext": {"docutils", "sphinx"},
    "pytest_plugin": {"pytest"},
}

# What runs without numpy, and what it prints
WITHOUT_NUMPY = [
    # code, output
    ("from ndcg_ref.convention import STANDARD; print(STANDARD.base)", "2"),
    ("from ndcg_ref import STANDARD; print(STANDARD.base)", "2"),
    ("from ndcg_ref.plain import ndcg; print(ndcg([0, 0, 1]))", "0.5"),
    ("from ndcg_ref import plain; print(plain.ndcg([0, 0, 1]))", "0.5"),
    ("from ndcg_ref.stated import judge; print(judge('0.5', 0.5).outcome)", "agrees"),
    ("import ndcg_ref.stated; print(ndcg_ref.stated.judge('0.6', 0.5).outcome)", "slip"),
    ("from ndcg_ref.cli import main; print(main(['judge', '0.5', '--grades', '0,0,1']))", "0"),
    ("from ndcg_ref import which; print(len(which('0.8', [1, 0, 0], scores=[2, 2, 1]).rows))", "10"),
    ("from ndcg_ref.notes import check_note; print(len(check_note('DCG = 3/log2(2) = 3')))", "1"),
    ("import ndcg_ref; print('dcg' in dir(ndcg_ref))", "True"),
    ("from ndcg_ref.drawing import draw; draw({'A': [2, 0, 1]})", "DCG 2.500"),
    (
        "import duckdb; tables = duckdb.connect()"
        "; tables.execute(\"create table qrels as select 'q1' as query_id, 'd1' as doc_id, 1 as relevance\")"
        "; tables.execute(\"create table run as select 'q1' as query_id, 'd1' as doc_id, 0.5 as score\")"
        "; from ndcg_ref import evaluate; print(evaluate('qrels', 'run', engine=tables).mean)",
        "{'nDCG@10': 1.0}",
    ),
]

COMMAND = ["cli", "commands", "commands.arguments", "validation"]

# What an import loads of the package, besides ndcg_ref itself; none of these loads numpy
LOADED = [
    # statement, modules
    ("import ndcg_ref", []),
    ("from ndcg_ref import __version__", []),
    ("import ndcg_ref; dir(ndcg_ref)", []),
    ("import ndcg_ref; hasattr(ndcg_ref, 'no_such_name')", []),
    ("from ndcg_ref import STANDARD", ["convention", "validation"]),
    ("import ndcg_ref.plain", ["convention", "named", "plain", "validation"]),
    ("import ndcg_ref.plain as plain; plain.ndcg([0, 1])", ["convention", "named", "plain", "validation"]),
    (
        "import ndcg_ref.plain as plain; plain.ndcg([0, 1], convention='trec_eval')",
        ["convention", "named", "plain", "presets", "validation"],
    ),
    ("import ndcg_ref.spellings", ["convention", "named", "presets", "spellings", "validation"]),
    ("import ndcg_ref.cli", COMMAND),
    ("from ndcg_ref.cli import main; main(['which', '--help'])", [*COMMAND, "commands.comparison", "commands.shared"]),
    ("from ndcg_ref.cli import main; main(['eval', '--help'])", [*COMMAND, "commands.evaluation", "commands.shared"]),
    (
        "from ndcg_ref.cli import main; main(['check', '--help'])",
        [
            *(*COMMAND, "commands.baselines", "commands.checking", "commands.findings_formats", "commands.note_files"),
            *("commands.shared", "commands.workflows"),
        ],
    ),
]

Import = namedtuple("Import", "module inside for_types")


def name_of(path):
    """The module in a file, without the name of the package: "stated.number"."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").rstrip(".")


FILES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}
assert FILES


def imports(node, inside=False, for_types=False):
    """Every import under a node: the module, whether a function holds it, whether it is for type checkers alone."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, inside, for_types) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"line {child.lineno}: a relative import hides where it comes from"
            for alias in child.names:
                part = f"{child.module}.{alias.name}"
                whole = part.removeprefix("ndcg_ref.") in FILES and part.startswith("ndcg_ref.")
                yield Import(part if whole else child.module, inside, for_types)
        elif isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            yield from imports(child, inside, for_types=True)
        else:
            yield from imports(child, inside or isinstance(child, ast.FunctionDef | ast.Lambda), for_types)


IMPORTS = {name: list(imports(ast.parse(path.read_text("utf-8")))) for name, path in FILES.items()}
assert any(IMPORTS.values())


def ours(module):
    return module == "ndcg_ref" or module.startswith("ndcg_ref.")


def run(code):
    """What a fresh interpreter prints, or why it does not."""
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, encoding="utf-8", check=False)
    return done.stdout.strip() + done.stderr.strip()


class TestImportsGoOneWay:
    def test_every_module_has_a_row(self):
        assert set(FILES) == set(MAY_IMPORT)

    def test_the_rows_close_no_circle(self):
        settled = set()
        for _ in MAY_IMPORT:
            settled |= {name for name, others in MAY_IMPORT.items() if others <= settled}
        assert settled == set(MAY_IMPORT)

    @pytest.mark.parametrize("name", FILES)
    def test_a_module_imports_what_its_row_says(self, name):
        found = {module.removeprefix("ndcg_ref").lstrip(".") for module, *_ in IMPORTS[name] if ours(module)}
        assert found - {"validation"} <= MAY_IMPORT[name]
        assert name != "validation" or not found

    @pytest.mark.parametrize("name", FILES)
    def test_other_imports_are_of_the_standard_library(self, name):
        others = {module.partition(".")[0] for module, *_ in IMPORTS[name] if not ours(module)}
        assert others - sys.stdlib_module_names <= ELSEWHERE.get(name, set())

    def test_ipython_is_imported_where_it_runs_already(self):
        lazy = [each for each in IMPORTS["stated.display"] if each.module.startswith("IPython")]
        assert {inside for _, inside, _ in lazy} == {True}

    @pytest.mark.parametrize("engine", ["duckdb", "pyspark"])
    def test_an_engine_is_imported_only_where_it_reads_a_file_or_refuses_a_query(self, engine):
        found = {inside for module, inside, _ in IMPORTS["runs.engines"] if module.partition(".")[0] == engine}
        assert found == {True}

    def test_presets_are_imported_only_where_a_name_is_given(self):
        assert {inside for module, inside, _ in IMPORTS["named"] if module == "ndcg_ref.presets"} == {True}

    def test_matplotlib_and_pandas_are_imported_only_to_draw_or_frame_a_result(self):
        lazy = [each for each in IMPORTS["runs.result"] if each.module.partition(".")[0] in ("matplotlib", "pandas")]
        assert {inside or for_types for _, inside, for_types in lazy} == {True}

    @pytest.mark.parametrize("name", [*COMMAND, "__main__", ""])
    def test_what_runs_first_loads_little(self, name):
        at_the_top = {module for module, inside, for_types in IMPORTS[name] if not (inside or for_types)}
        allowed = {f"ndcg_ref.{module}" for module in COMMAND} if name in COMMAND else set()
        assert {module for module in at_the_top if ours(module)} <= allowed


class TestNothingIsRunAsCode:
    """A text of others, such as a printed line or a notebook, is read and never executed."""

    RUNS = frozenset({"exec", "eval", "compile", "__import__"})

    def named(self, tree):
        """Each use of such a name, called or not; a method such as `re.compile` is none."""
        return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & self.RUNS

    @pytest.mark.parametrize("name", FILES)
    def test_no_module_runs_text_as_code(self, name):
        assert self.named(ast.parse(FILES[name].read_text("utf-8"))) == set()

    def test_a_call_that_runs_text_as_code_would_be_found(self):
        assert self.named(ast.parse("run = exec\nre.compile(eval('x'))")) == {"exec", "eval"}


class TestNoModuleBearsTheNameOfAFunction:
    """Else the function would turn into the module as soon as somebody imports that."""

    @pytest.mark.parametrize("holder", [ndcg_ref, stated], ids=lambda module: module.__name__)
    def test_no_module_bears_the_name_of_a_public_name(self, holder):
        modules = {path.stem for path in FILES.values()}
        assert modules & set(holder.__all__) == set()

    @pytest.mark.parametrize("name", sorted(name for name in FILES if "." not in name))
    def test_no_module_bears_a_name_that_a_module_defines(self, name):
        defined = {node.name for node in ast.parse(FILES[name].read_text("utf-8")).body if hasattr(node, "name")}
        assert {path.stem for path in FILES.values()} & defined == set()


HOMES = ("ndcg_ref.measures", "ndcg_ref.relevance")  # of the formulas over arrays


class TestTheNamesOfThePackageAreComplete:
    def test_all_is_every_public_function_and_convention(self):
        functions = [name for name, _ in inspect.getmembers(measures, inspect.isfunction) if not name.startswith("_")]
        own = {name for name in functions if getattr(measures, name).__module__ in HOMES}
        own -= {"gain_of"}  # for one grade, whose place runs and arrays know
        named = {name for name, value in vars(convention).items() if isinstance(value, convention.Convention)}
        assert set(ndcg_ref.__all__) == own | named | {
            *(
                "Convention",
                "PRESETS",
                "Result",
                "assert_no_drop",
                "compare_runs",
                "dcg_score",
                "evaluate",
                "explain",
                "ndcg_score",
                "which",
                "which_mean",
            )
        }

    def test_type_checkers_see_the_same_names(self):
        block = next(node for node in ast.parse(FILES[""].read_text("utf-8")).body if isinstance(node, ast.If))
        assert {alias.name for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names} == set(
            ndcg_ref.__all__
        )

    @pytest.mark.parametrize("name", ndcg_ref.__all__)
    def test_each_name_is_the_object_of_its_home_module(self, name):
        homes = (
            *(convention, measures, presets, arrays, runs_evaluation),
            *(matches, mean_matches, differences, comparing, gating),
        )
        home = next(module for module in homes if hasattr(module, name))
        assert getattr(ndcg_ref, name) is getattr(home, name)

    def test_dir_lists_the_names_before_they_are_loaded(self):
        code = "import ndcg_ref; print({'__version__', *ndcg_ref.__all__} - set(dir(ndcg_ref)))"
        assert run(code) == "set()"

    def test_a_star_imports_all_names(self):
        code = "from ndcg_ref import *; import ndcg_ref; print(set(ndcg_ref.__all__) - set(globals()))"
        assert run(code) == "set()"

    def test_an_unknown_name_is_no_attribute(self):
        with pytest.raises(AttributeError, match="module 'ndcg_ref' has no attribute 'nDCG'"):
            ndcg_ref.nDCG  # noqa: B018 - the access is the test

    def test_an_unknown_name_cannot_be_imported(self):
        assert "ImportError: cannot import name 'nDCG' from 'ndcg_ref'" in run("from ndcg_ref import nDCG")

    @pytest.mark.parametrize("name", ndcg_ref.__all__)
    def test_a_name_gives_the_same_object_each_time(self, name):
        """The second access gives what the first gave, also after every module is imported."""
        first = getattr(ndcg_ref, name)
        assert getattr(ndcg_ref, name) is first


class TestNothingIsLoadedBeforeItIsUsed:
    @pytest.mark.parametrize(("statement", "modules"), LOADED)
    def test_a_statement_loads_only_the_modules_that_it_uses(self, statement, modules):
        code = f"""
import contextlib, io, sys
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    {statement}
print(*sorted(name for name in sys.modules if name.startswith('ndcg_ref.') or name == 'numpy'))
"""
        assert run(code) == " ".join(f"ndcg_ref.{module}" for module in sorted(modules))

    def test_numpy_is_loaded_with_the_first_measure(self):
        """Without this, the rows above might pass for want of a numpy."""
        assert run("import ndcg_ref, sys; ndcg_ref.dcg; print('numpy' in sys.modules)") == "True"


class TestAllButTheMeasuresRunWithoutNumpy:
    @pytest.mark.parametrize(("code", "output"), WITHOUT_NUMPY)
    def test_all_but_the_measures_run_without_numpy(self, code, output):
        assert run(f"import sys; sys.modules['numpy'] = None; {code}").splitlines()[-1] == output

    def test_the_measures_do_not_run_without_numpy(self):
        """The block does block."""
        assert "import of numpy halted" in run("import sys; sys.modules['numpy'] = None; import ndcg_ref; ndcg_ref.dcg")
