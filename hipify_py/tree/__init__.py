"""Many files: which there are, where each goes, and a run over them in which one bad file never stops the others."""

from __future__ import annotations

from hipify_py.tree.patterns import Patterns
from hipify_py.tree.plan import Destination, Job, Others, Plan, Search, plan
from hipify_py.tree.run import Failure, Task, TreeResult, run_job, run_jobs, translate_tree

__all__ = ["Destination", "Failure", "Job", "Others", "Patterns", "Plan", "Search", "Task", "TreeResult", "plan", "run_job",
           "run_jobs", "translate_tree"]
