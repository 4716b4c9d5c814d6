"""Run the scripts of the chapter on other libraries, and keep what each computes beside its text.

A script leaves its means under the name `means`. The chapter shows the text, and computes the same with `ndcg_ref`.
Where that needs the library too, it is a script of its own, which follows with the names of the first, and leaves
`ours`.
"""

import os
import runpy
from functools import partial
from importlib.metadata import version
from pathlib import Path

from interop.children import in_child

FOLDER = Path(__file__).parent / "scripts"
PRACTICE = Path("book/practice")  # where the scripts are run, beside the files that they read
SCRIPTS = {
    # script: distribution
    "pytrec_eval": "pytrec_eval-terrier",
    "ir_measures": "ir_measures",
    "ranx": "ranx",
    "sklearn": "scikit-learn",
    "cross_validation": "scikit-learn",
    "beir": "beir",
}


def outcome(path):
    """The means of a script, and its p values where it tests."""
    os.chdir(PRACTICE)
    left = runpy.run_path(str(path))
    found = {name: plain(left[name]) for name in ("means", "p_values") if name in left}
    if path.stem == "from_ir_measures":  # the same frames and measure objects, given to ndcg_ref
        from ndcg_ref import evaluate

        found["by_ndcg_ref"] = evaluate(left["qrels"], left["run"], left["asked"], "ir_measures").mean
    if follows(path).exists():
        values = runpy.run_path(str(follows(path)), left)["ours"]
        found["by_ndcg_ref"] = dict(zip(found["means"], map(float, values), strict=True))
    return found


def follows(path):
    """The script that computes the same with ndcg_ref, if there is one."""
    return path.with_name(path.name.replace("from_", "to_"))


def plain(value):
    """Floats of numpy as those of Python; of a p value the number alone."""
    if isinstance(value, dict) and "p_value" in value:
        return float(value["p_value"])
    return {key: plain(each) for key, each in value.items()} if isinstance(value, dict) else float(value)


def all_of_them():
    """Each script with its text, its library, and what it computed; an error ends this."""
    found = {}
    for name, distribution in SCRIPTS.items():
        path = (FOLDER / f"from_{name}.py").resolve()
        made = in_child(partial(outcome, path), 600)
        if "error" in made:
            raise SystemExit(f"{path.name}: {made['error']}")
        found[name] = {"library": f"{distribution}-{version(distribution)}", "code": path.read_text("utf-8"), **made}
        if follows(path).exists():
            found[name]["code_of_ndcg_ref"] = follows(path).read_text("utf-8")
    return found
