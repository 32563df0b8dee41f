"""Reads HDDL with unified-planning and solves it with aries.

For each problem, named by three arguments, it prints `plan` and one ground action
a line (`walk-to_box`, `pick-up key`), or `none` and the planner's word where it
found no plan in the time given; then an empty line.

    python solve.py domain.hddl problem.hddl seconds ...
"""

import sys
import warnings

from unified_planning.environment import get_environment
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import OneshotPlanner

warnings.simplefilter("ignore")
environment = get_environment()
environment.credits_stream = None

# PDDL has one kind of number, which the reader takes for reals; aries plans only with integers. Our numbers are always
# whole here.
types = environment.type_manager
types.RealType = lambda *bounds: types.IntType(*bounds)


def solve(domain, problem, seconds):
    problem = PDDLReader().parse_problem(domain, problem)
    with OneshotPlanner(name="aries") as planner:
        result = planner.solve(problem, timeout=float(seconds))
    if result.plan is None:
        messages = " ".join(m.message for m in result.log_messages or [])
        print("none", result.status.name, " ".join(messages.split()))
    else:
        print("plan")
        plan = result.plan.action_plan
        # An empty plan is returned as a plan of timed actions.
        for action in getattr(plan, "actions", []):
            print(action.action.name, *action.actual_parameters)
    print(flush=True)


arguments = sys.argv[1:]
for at in range(0, len(arguments), 3):
    solve(*arguments[at : at + 3])
