"""Solves PDDL with Fast Downward and prints what the cheapest plans cost.

For each problem of a folder, `7-domain.pddl` with `7-problem.pddl` and so on, in the order
of their numbers, it prints a line: the least cost, or `none` where there is no plan.

    python least.py folder
"""

import contextlib
import importlib.resources
import io
import re
import subprocess
import sys
from pathlib import Path

# The translator is called directly, not as a program: starting Python takes longer than translating.
from fast_downward.translate import main as translator
from fast_downward.translate import options

package = importlib.resources.files("up_fast_downward")
SEARCH = package.joinpath("downward/builds/release/bin/downward")


def least(folder, number):
    sas = folder / f"{number}.sas"
    files = [folder / f"{number}-{kind}.pddl" for kind in ("domain", "problem")]
    # Invariants only change how states are stored, and looking for them may take minutes, whatever its time limit.
    without = ["--invariant-generation-max-candidates", "0"]
    options.set_options([*map(str, files), "--sas-file", str(sas), *without])
    log = io.StringIO()
    try:
        with contextlib.redirect_stdout(log):
            translator.main()
    except BaseException:
        print(log.getvalue(), file=sys.stderr)
        raise
    plan = folder / f"{number}.plan"
    command = [SEARCH, "--search", "astar(blind())"]
    command += ["--internal-plan-file", plan]
    with sas.open() as task:
        done = subprocess.run(
            command, stdin=task, capture_output=True, text=True, cwd=folder
        )
    # https://www.fast-downward.org/ExitCodes
    if done.returncode in (10, 11, 12):
        return "none"
    if done.returncode != 0:
        raise SystemExit(f"{number}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return re.search(r"Plan cost: (\d+)", done.stdout).group(1)


folder = Path(sys.argv[1])
numbers = sorted(int(file.name.split("-")[0]) for file in folder.glob("*-domain.pddl"))
for number in numbers:
    print(least(folder, number), flush=True)
