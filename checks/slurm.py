"""`python -m checks.slurm`: compare the smoke run on a real one-node Slurm with a local run.

In the middle of the run, the controller is killed and started again. The check needs root, Debian's
packages `slurm-wlm` and `munge`, and the package `snakemake-executor-plugin-slurm`. Without them it
is skipped and says why. The exit status is 0 if all bytes are the same or the check is skipped, and
1 if bytes differ, if a run fails, or if the check is skipped with --every.
"""

import argparse
import importlib.util
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from checks.run import CORES, Run, differences, wait_for
from checks.slurm_cluster import Cluster, reason_to_skip, running_cluster

_PLUGIN = "snakemake_executor_plugin_slurm"
_PROFILE = (
    "--workflow-profile", "profiles/slurm",
    # The defaults suit clusters with thousands of users; here they would only wait.
    "--slurm-init-seconds-before-status-checks", "5", "--seconds-between-status-checks", "5",
)  # fmt: skip
_DOWN_SECONDS = 15
# Three times the duration of the smoke run.
_LONGEST_SECONDS = 900
# If the plugin (2.8) asks for the status of jobs while the controller is down, it falls back to
# sacct. Without accounting it then forgets its jobs and waits for ever. So a run without jobs is
# stopped after this time.
_IDLE_SECONDS = 60
_POLL_SECONDS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Run locally and on the cluster, compare the bytes, and print the result."""
    parser = argparse.ArgumentParser(prog="python -m checks.slurm", description=__doc__)
    parser.add_argument("--every", action="store_true", help="fail if it cannot be made here")
    given = parser.parse_args(arguments)
    reason = reason_to_skip()
    if not reason and importlib.util.find_spec(_PLUGIN) is None:
        reason = "pip install snakemake-executor-plugin-slurm"
    if reason:
        print(f"slurm-test skipped: {reason}")
        return int(given.every)
    # Daemons and /etc/slurm/slurm.conf must be removed, however this process ends.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="slurm-test-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        local = Run.new(folder / "local")
        succeeded, output = local()
        if not succeeded:
            print(output)
            return 1
        cluster_run = Run.new(folder / "cluster_run")
        return _on_cluster(cluster_run, local, folder / "cluster")


def _on_cluster(run: Run, local: Run, folder: Path) -> int:
    with running_cluster(folder, CORES) as cluster:
        start = time.monotonic()
        with run.start(*_PROFILE) as process:
            # The first fits have ended, others wait or run.
            results, _ = run.folders()
            while process.poll() is None and not any(results.glob("*/fits/*/*.parquet")):
                time.sleep(0.5)
            killed = process.poll() is None
            if killed:
                cluster.kill_controller()
                time.sleep(_DOWN_SECONDS)
                cluster.start_controller()
            output = _wait_while_busy(process, cluster)
        print(f"on Slurm: exit status {process.returncode}, {time.monotonic() - start:.0f} s")
        resumed = process.returncode != 0
        if resumed:
            print(output)
            print("resumed by one plain run")
            cluster.cancel_jobs()
            # The killed run left its lock.
            run("--unlock", *_PROFILE)
            succeeded, output = run(*_PROFILE)
            if not succeeded:
                print(output)
                return 1
    expected = local.contents()
    different = differences(expected, run.contents())
    print(
        *different,
        f"{len(expected)} files compared, {len(different)} differ; controller killed once: "
        f"{'yes' if killed else 'no'}; needed a second run: {'yes' if resumed else 'no'}",
        sep="\n",
    )
    return int(bool(different) or not killed)


def _wait_while_busy(process: subprocess.Popen, cluster: Cluster) -> str:
    """Return the output of a run; kill its group if the cluster has had no job for long."""
    last = start = time.monotonic()
    while last - start < _LONGEST_SECONDS:
        try:
            return process.communicate(timeout=_POLL_SECONDS)[0]
        except subprocess.TimeoutExpired:
            if cluster.has_jobs():
                last = time.monotonic()
            elif time.monotonic() - last > _IDLE_SECONDS:
                break
    print(f"stopped: without a job for {_IDLE_SECONDS} s, or not done in {_LONGEST_SECONDS}")
    return wait_for(process, 0)


if __name__ == "__main__":
    sys.exit(main())
