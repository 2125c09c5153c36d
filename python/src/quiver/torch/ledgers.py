"""Where a loader writes its ledger: one file for each rank of each run, as ``quiver job`` names them."""

from __future__ import annotations

import re
from pathlib import Path


def ledger_path(base: Path, rank: int, world_size: int, *, goes_on: bool) -> Path:
    """The next free name: ``run.qlg``, ``run.qlg.r1`` of several ranks, ``run.qlg.run2`` of a later run.

    ``run.qlg*`` names them all.

    :param goes_on: whether this run continues an earlier one; if not, none may be there
    """
    suffix = f".r{rank}" if world_size > 1 else ""
    base.parent.mkdir(parents=True, exist_ok=True)
    form = re.compile(re.escape(base.name) + r"(?:\.run(\d{1,6}))?(?:\.r\d{1,6})?")
    runs = [0]
    for file in base.parent.iterdir():
        match = form.fullmatch(file.name)
        if match and (not re.search(r"\.r\d+$", file.name) or file.name.endswith(suffix or "\0")):
            runs.append(int(match.group(1) or 1))
    run = max(runs) + 1
    if run > 1 and not goes_on:
        raise FileExistsError(
            f"{base} is there already; load the state where it ends to go on, or name another ledger"
        )
    return base.with_name(base.name + (f".run{run}" if run > 1 else "") + suffix)
