"""Start a command from a small process, and write its exit code, CPU seconds and peak memory in bytes as JSON.

The system keeps the peak of a process when it becomes another program. A command that a large process starts would
therefore have at least the peak of that process.
"""

import json
import os
import resource
import subprocess
import sys


def main(report: str, group: str, *command: str) -> None:
    """`report`: the descriptor to write to; `group`: the control group that the command enters, if any."""

    def enter() -> None:
        if group:
            with open(os.path.join(group, "cgroup.procs"), "w", encoding="ascii") as processes:
                processes.write(str(os.getpid()))

    code = subprocess.run(command, preexec_fn=enter).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(int(report), "w", encoding="ascii") as target:
        json.dump({"code": code, "cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss * 1024}, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
