"""Earlier results outlive a job that fails: its outputs are replaced whole or not at all.

Snakemake deletes the outputs of a job before it runs the job again. The last complete ones are
therefore kept as hard links in a hidden folder, put back when the job starts, and replaced when it
has ended well. What a job writes is elsewhere until then.

Snakemake notes a failed job as done if all its outputs exist (its ``keep-incomplete`` is needed so
that it leaves them alone). What is put back is therefore dated 1970: older than the job's script,
so that the next run does the job again.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

LAST_COMPLETE = ".last_complete"
UNFINISHED = ".unfinished"

# Not 0: a falsy time would be no time.
_LONG_AGO = (1, 1)


class JobOutputs:
    """The outputs of one job: where they belong, where they are written, where the last ones are.

    Parameters
    ----------
    outputs : iterable of path
        Files and folders, as the rule declares them.
    roots : sequence of path
        Folders of results; the first one that holds an output holds its hidden copies too.

    Raises
    ------
    ValueError
        If an output lies in none of `roots`.
    """

    def __init__(self, outputs: Iterable[str | Path], roots: Sequence[str | Path]) -> None:
        self._roots = {Path(output): _root(Path(output), roots) for output in outputs}

    def new(self, output: str | Path) -> Path:
        """Return the path to which the job writes `output`: same name, other folder.

        Outputs that lie in one folder are written to one folder. Raises KeyError for a path that
        is no output of the job.
        """
        return self._hidden(Path(output), UNFINISHED)

    @contextmanager
    def replaced(self) -> Iterator[None]:
        """Put the last complete outputs back; replace them by the new ones if the body ends well.

        Raises
        ------
        FileNotFoundError
            If the body has not written one of the outputs.
        OSError
            If the outputs cannot be replaced, such as on a full disk.
        """
        try:
            self._discard_unfinished()
            for output in self._roots:
                _link_long_ago(self._hidden(output, LAST_COMPLETE), output)
                self.new(output).parent.mkdir(parents=True, exist_ok=True)
            yield
            self._replace()
        finally:
            self._discard_unfinished()

    def _replace(self) -> None:
        for output in self._roots:
            if not self.new(output).exists():
                raise FileNotFoundError(
                    f"the script has not written {output} to {self.new(output)}"
                )
        # Links need room on the disk, and renaming does not: all links are made first.
        for output in self._roots:
            self._hidden(output, LAST_COMPLETE).parent.mkdir(parents=True, exist_ok=True)
            _link(self.new(output), self._link_of(output))
        for output in self._roots:
            _rename(self.new(output), output)
        for output in self._roots:
            _rename(self._link_of(output), self._hidden(output, LAST_COMPLETE))

    def _discard_unfinished(self) -> None:
        for output in self._roots:
            _remove(self.new(output))
            _remove(self._link_of(output))

    def _link_of(self, output: Path) -> Path:
        new = self.new(output)
        return new.with_name(f".{new.name}.link")

    def _hidden(self, output: Path, folder: str) -> Path:
        root = self._roots[output]
        return root / folder / output.relative_to(root)


def put_back_missing(roots: Iterable[str | Path]) -> None:
    """Put back each last complete output that is missing.

    Needed where Snakemake has deleted the outputs of a job whose script was never reached, such as
    on a disk too full to start it. The next run does these jobs again.
    """
    for root in roots:
        kept = Path(root) / LAST_COMPLETE
        if kept.is_dir():
            _put_back_below(kept, Path(root))


def _put_back_below(kept: Path, place: Path) -> None:
    for entry in sorted(kept.iterdir()):
        target = place / entry.name
        if entry.is_dir() and target.is_dir():
            _put_back_below(entry, target)
        else:
            _link_long_ago(entry, target)


def _root(output: Path, roots: Sequence[str | Path]) -> Path:
    for root in map(Path, roots):
        if output.is_relative_to(root) and output != root:
            return root
    places = " or ".join(map(str, roots))
    raise ValueError(f"{output}: found an output of a job outside of the folder {places}")


def _link_long_ago(source: Path, target: Path) -> None:
    """Link `target` to `source` if there is such a source and no such target."""
    if source.exists() and not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        _date_long_ago(source)
        _link(source, target)
        _date_long_ago(target)


def _date_long_ago(path: Path) -> None:
    for folder, _, files in os.walk(path):
        for name in files:
            os.utime(Path(folder, name), _LONG_AGO)
    os.utime(path, _LONG_AGO)


def _link(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, copy_function=_link_file)
    else:
        _link_file(source, target)


def _link_file(source: str | Path, target: str | Path) -> None:
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:
        # Not every file system has hard links.
        shutil.copy2(source, target)


def _rename(new: Path, target: Path) -> None:
    """Move a file or folder to a place where an earlier one may stand."""
    if not target.is_dir():
        os.replace(new, target)
        return
    earlier = new.with_name(f".{new.name}.earlier")
    _remove(earlier)
    os.replace(target, earlier)
    try:
        os.replace(new, target)
    except OSError:
        os.replace(earlier, target)
        raise
    _remove(earlier)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
