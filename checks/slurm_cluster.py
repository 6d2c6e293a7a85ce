"""A real Slurm cluster of one node on this machine, from Debian's packages, for root."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

CONFIGURATION = Path("/etc/slurm/slurm.conf")
_MUNGE_SOCKET_FOLDER = Path("/run/munge")
_PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "runuser")

_TEMPLATE = """\
ClusterName=one
SlurmctldHost=localhost(127.0.0.1)
AuthType=auth/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
MinJobAge=300
ReturnToService=2
NodeName=localhost NodeAddr=127.0.0.1 CPUs={cores} RealMemory={megabytes} State=UNKNOWN
PartitionName=main Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""


def reason_to_skip() -> str:
    """Return why no cluster can be brought up here; empty if one can."""
    if os.geteuid() != 0:
        return "only root can bring up a cluster"
    missing = [program for program in _PROGRAMS if shutil.which(program) is None]
    if missing:
        names = ", ".join(missing)
        return f"{names}: not installed; on Debian, apt-get install slurm-wlm munge"
    if CONFIGURATION.exists():
        return f"{CONFIGURATION} is there: this machine belongs to a cluster"
    return ""


class Cluster:
    """The three daemons of the cluster; `folder` holds their state and logs."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._daemons: dict[str, subprocess.Popen] = {}

    def start_controller(self, *options: str) -> None:
        """Start the controller; with ``-c`` it drops the state of an earlier controller."""
        self._start("slurmctld", "-D", *options)

    def kill_controller(self) -> None:
        """Kill the controller; jobs go on, but their ends are not reported."""
        controller = self._daemons.pop("slurmctld")
        controller.kill()
        controller.wait()

    def has_jobs(self) -> bool:
        """Return whether a job waits or runs; True while the controller does not answer."""
        run = subprocess.run(["squeue", "--noheader"], capture_output=True, check=False)
        return run.returncode != 0 or bool(run.stdout)

    def cancel_jobs(self) -> None:
        """Cancel the jobs that an ended run left behind, and wait until no job runs."""
        subprocess.run(["scancel", "--user", "root"], capture_output=True, check=False, timeout=60)
        self._await("squeue", "--noheader", wanted=None)

    def _start(self, name: str, *options: str, user: str | None = None) -> None:
        command = ["runuser", "-u", user, "--", name] if user else [name]
        with open(self.folder / f"{name}.log", "ab") as log:
            self._daemons[name] = subprocess.Popen(
                [*command, *options], stdout=log, stderr=log, start_new_session=True
            )

    def _bring_up(self) -> None:
        if subprocess.run(["munge", "-n"], capture_output=True, check=False).returncode != 0:
            _MUNGE_SOCKET_FOLDER.mkdir(exist_ok=True)
            shutil.chown(_MUNGE_SOCKET_FOLDER, "munge", "munge")
            self._start("munged", "--foreground", user="munge")
            self._await("munge", "-n")
        (self.folder / "state").mkdir()
        (self.folder / "spool").mkdir()
        self.start_controller("-c")
        self._start("slurmd", "-D", "-N", "localhost")
        self._await("sinfo", "--noheader", "--states=idle", "--format=%n", wanted="localhost")

    def _await(self, *command: str, wanted: str | None = "", limit: float = 60) -> None:
        """Wait until a command succeeds and its output contains `wanted`, or is empty if None."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            found = run.stdout == "" if wanted is None else wanted in run.stdout
            if run.returncode == 0 and found:
                return
            time.sleep(0.5)
        logs = [log.read_text(errors="replace")[-2000:] for log in self.folder.glob("*.log")]
        raise RuntimeError(f"{' '.join(command)}: nothing after {limit:g} s\n" + "\n".join(logs))

    def _take_down(self) -> None:
        with suppress(RuntimeError, subprocess.TimeoutExpired):
            self.cancel_jobs()
        for daemon in reversed(self._daemons.values()):
            daemon.terminate()
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()


@contextmanager
def running_cluster(folder: Path, cores: int) -> Iterator[Cluster]:
    """Start a cluster of one node with `cores` cores, and stop it at the end."""
    folder.mkdir(parents=True)
    # Half of the memory, because the node shares the machine with this process.
    megabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**21
    cluster = Cluster(folder)
    try:
        CONFIGURATION.parent.mkdir(exist_ok=True)
        text = _TEMPLATE.format(folder=folder, cores=cores, megabytes=megabytes)
        CONFIGURATION.write_text(text, encoding="utf-8")
        cluster._bring_up()
        yield cluster
    finally:
        # A later check would otherwise take this machine for a node of a real cluster.
        try:
            cluster._take_down()
        finally:
            CONFIGURATION.unlink(missing_ok=True)
