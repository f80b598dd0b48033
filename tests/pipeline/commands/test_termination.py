"""What a command had under way is put in order when it is told to end."""

import os
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path

from pipeline.build.cache import ROOT


def test_an_import_that_is_told_to_end_leaves_no_temporary_directory(tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    archive = tmp_path / "study.tar"
    with tarfile.open(archive, "w") as packed:
        packed.add(ROOT / "README.md", "a/README.md")
    # Unpacking takes its time here, as it does with large archives.
    waiting = (
        "import sys, time\n"
        "from pipeline.commands import import_archives\n"
        "def unpack(packed, target):\n"
        "    (target / 'begun').touch(); time.sleep(60)\n"
        "import_archives.unpack = unpack\n"
        "from pipeline.__main__ import main; sys.exit(main())\n"
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
