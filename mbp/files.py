"""Files written whole or not at all, and locks that die with their process.

Everything that mbp keeps goes through `write_atomic`: new bytes into a temporary file beside the
old one, to the disk, then renamed over it. Killed at any moment, on a full disk or in a read-only
folder, the old file is there or the new one, never a third; a file closed to us stays as it is.
Temporary names start with a dot and end in `.tmp`; only a killed process leaves one behind.
Only regular files are read, and never without bound: a pipe would block, a device might not end.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from mbp.errors import MbpError

PATIENCE = 30.0  # seconds that a lock is waited for
PAUSE = 0.05  # seconds between two tries
LARGEST = 64 * 2**20  # bytes of a file that is read whole; the largest are evidence files of 8 MiB

# What file systems answer that cannot do a thing at all (hard links, fsync or flock of a folder).
UNABLE = {
    errno.EINVAL,
    errno.EBADF,
    errno.ENOSYS,
    errno.ENOTSUP,
    errno.EOPNOTSUPP,
    errno.ENOLCK,
    errno.EPERM,
    errno.EACCES,
    errno.EMLINK,
}


class IrregularError(MbpError):
    """What a path names is there and is no regular file: a folder, a pipe, a device, a socket."""


def expanded(text: str) -> Path:
    """A path as a person wrote it, with the folder that `~` or `~user` stands for.

    Raises MbpError where there is no such user.
    """
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise MbpError(f"nobody has the folder {text}", hint="write the folder out") from None


def is_file(path: Path) -> bool:
    """Whether a regular file is there; a name that no file can have is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Whether a folder is there; a name that no folder can have is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def open_regular(path: Path, *, pipes: bool = False) -> BinaryIO:
    """Opens a regular file to read it; with `pipes` one that another program writes into, too.

    Raises OSError, IrregularError.
    """
    # Without O_NONBLOCK a pipe that nobody writes into would block here.
    waiting = 0 if pipes else getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, os.O_RDONLY | waiting | getattr(os, "O_BINARY", 0))
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode) and not (pipes and not stat.S_ISDIR(mode)):
            kind = "a folder" if stat.S_ISDIR(mode) else "no regular file"
            raise IrregularError(f"{path} is {kind}", hint="name a file")
        return os.fdopen(descriptor, "rb")
    except BaseException:  # Ctrl-C too: nobody else will close it
        os.close(descriptor)
        raise


def read_start(path: Path, count: int) -> bytes | None:
    """At most `count` bytes of a file, None if there is none. Raises MbpError."""
    try:
        with open_regular(path) as file:
            return file.read(count)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as failure:  # ValueError: a NUL in the name
        raise _failed("read", path, failure) from failure


def read_if_there(path: Path) -> bytes | None:
    """The bytes of a file, None if there is none.

    Raises MbpError if it cannot be read, or is larger than anything that mbp reads.
    """
    data = read_start(path, LARGEST + 1)
    if data is not None and len(data) > LARGEST:
        raise MbpError(f"{path} has more than {LARGEST} bytes", hint="name another file")
    return data


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Makes a folder and those above it; one that is there stays as it is.

    `mode` is that of the last folder, less the umask. Raises MbpError.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=mode, exist_ok=True)
    except OSError as failure:
        raise _failed("make the folder", path, failure) from failure


def write_atomic(
    path: Path, data: bytes, *, mode: int | None = None, new: bool = False, durable: bool = True
) -> None:
    """Writes a file whole or not at all; a symbolic link to a file is followed, its target written.

    A link to nothing is refused: whoever made it would choose where a new file comes to be.

    `mode` None keeps the mode of the file that is there (for a new one: 0666 less the umask). With
    `new` a file that is there, a link too, is never touched: FileExistsError. `durable=False`
    leaves out the wait for the disk, for what can be made again.
    Raises MbpError, with the path, and leaves nothing behind.
    """
    try:
        target = path if new else path.resolve()
        if not new:
            _refuse_dangling(path)
            _refuse_closed(target)
        if mode is None:
            mode = _mode_of(target)
        temporary = _write_temporary(target, data, mode, durable)
        try:
            (_link if new else os.replace)(temporary, target)
        finally:
            with suppress(OSError):  # after a rename it is gone
                temporary.unlink()
        if durable:
            _sync_folder(target.parent)
    except FileExistsError:
        raise
    except (OSError, RuntimeError) as failure:  # RuntimeError: links that lead in a circle
        raise _failed("write", path, failure) from failure


def _refuse_dangling(path: Path) -> None:
    if path.is_symlink() and not path.exists():
        raise MbpError(
            f"cannot write {path}: it is a link to no file", hint=f"remove the link {path}"
        )


def _refuse_closed(path: Path) -> None:
    # A rename asks for the right to write the folder only: it would replace a file closed to us.
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def _mode_of(path: Path) -> int | None:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return None


def _write_temporary(target: Path, data: bytes, mode: int | None, durable: bool) -> Path:
    temporary = target.with_name(f".{target.name[:40]}.{os.urandom(8).hex()}.tmp")
    # The mode is there from the first moment: nobody can open a secret before a later chmod.
    created = 0o666 if mode is None else mode
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, created)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                temporary.chmod(mode)  # the umask took bits that the old file had
            file.write(data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
    except BaseException:  # Ctrl-C too: nothing half written stays behind
        temporary.unlink()
        raise
    return temporary


def _link(temporary: Path, target: Path) -> None:
    """Gives the temporary file its name, unless the name is taken: FileExistsError."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError as failure:
        if failure.errno not in UNABLE:
            raise
        # No hard links here (FAT, some network drives). Between look and rename another process
        # could come; those of mbp are kept out by the lock that the caller holds.
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        temporary.replace(target)


def _sync_folder(folder: Path) -> None:
    # Without it a power cut may undo the rename: still the old file, but after we said "written".
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:  # a folder that may be written, not listed
        return
    try:
        os.fsync(descriptor)
    except OSError as failure:
        if failure.errno not in UNABLE:
            raise
    finally:
        os.close(descriptor)


def _failed(what: str, path: Path, failure: Exception) -> MbpError:
    number = failure.errno if isinstance(failure, OSError) else None
    reason = (os.strerror(number) if number else str(failure)).lower()
    hints = {
        errno.ENOSPC: "free some space on the disk and try again",
        errno.EDQUOT: "free some space on the disk and try again",
        errno.EFBIG: "raise the limit on the size of files (ulimit -f) and try again",
        errno.EROFS: "choose a folder that can be written",
        errno.EACCES: f"check who may use {path} and its folder",
        errno.EPERM: f"check who may use {path} and its folder",
        errno.ENOENT: f"make the folder {path.parent} first",
    }
    hint = hints.get(number, f"check {path}") if number else f"check {path}"
    return MbpError(f"cannot {what} {path}: {reason}", hint=hint)


@contextmanager
def lock_file(path: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Holds an exclusive lock on a file of its own, made if need be, never deleted.

    The kernel drops the lock when its process ends, however it ends. It is not re-entrant.
    Raises MbpError where another process holds it for longer than `patience` seconds.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as failure:
        raise _failed("lock", path, failure) from failure
    try:
        try:
            _wait_for_lock(descriptor, path, patience)
        except OSError as failure:
            raise _failed("lock", path, failure) from failure
        yield
    finally:
        os.close(descriptor)


@contextmanager
def lock_folder(path: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Holds an exclusive lock on a folder itself, so that no lock file lies in a repository.

    A file system that cannot lock folders (some network drives) does without: the lock of the home
    still keeps one player's processes apart, and two players never write the same entry.
    Raises MbpError as `lock_file` does.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as failure:
        raise _failed("lock", path, failure) from failure
    try:
        try:
            _wait_for_lock(descriptor, path, patience)
        except OSError as failure:
            if failure.errno not in UNABLE:
                raise _failed("lock", path, failure) from failure
        yield
    finally:
        os.close(descriptor)


def _wait_for_lock(descriptor: int, path: Path, patience: float) -> None:
    import fcntl  # here, so that what needs no lock runs where there is none

    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= end:
                raise MbpError(
                    f"another mbp is at work on {path}",
                    hint="wait until it is done, or end it, and try again",
                ) from None
        time.sleep(PAUSE)
