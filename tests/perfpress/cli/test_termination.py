"""A command that is asked to end cleans up its work."""

import os
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path

from perfpress.base.checkout import ROOT


def test_an_import_that_is_terminated_leaves_no_temporary_directory(tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    archive = tmp_path / "study.tar"
    with tarfile.open(archive, "w") as packed:
        packed.add(ROOT / "README.md", "a/README.md")
    # Unpacking takes its time here, as it does with large archives.
    waiting = (
        "import sys, time\n"
        "from perfpress.host.importing import unpacking\n"
        "def unpack(packed, target):\n"
        "    (target / 'begun').touch(); time.sleep(60)\n"
        "unpacking.unpack = unpack\n"
        "from perfpress.__main__ import main; sys.exit(main())\n"
    )
    words = ["import", "sysbench", str(archive), "--out", str(tmp_path / "out"), "--host", "lab1"]
    process = subprocess.Popen(
        [sys.executable, "-c", waiting, *words],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(temporary)},
    )
    for _ in range(300):
        if list(temporary.glob("*/*/begun")):
            break
        time.sleep(0.1)
    assert list(temporary.iterdir())
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 128 + signal.SIGTERM
    assert list(temporary.iterdir()) == []
