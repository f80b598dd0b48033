"""Which storage devices a sum is over: those that are built on no other, judged by their names.

RAID (`md0`), LVM (`dm-0`) and loop devices pass on to others what they are asked for.
"""

import re
from collections.abc import Iterable

STACKED = re.compile(r"(?:md|dm-|loop|ram|zram|bcache|drbd)\d")
# sda1, vdb2, nvme0n1p3, mmcblk0p1: shown with -p, below the device that they are part of
PARTITION = re.compile(r"(?:([hsv]d[a-z]+|xvd[a-z]+)\d+|((?:nvme\d+n|mmcblk)\d+)p\d+)$")


def physical(devices: Iterable[str]) -> list[str]:
    """Return the devices that a sum is over, in their order."""
    every = dict.fromkeys(devices)
    return [each for each in every if not STACKED.match(each) and not _is_part(each, every)]


def _is_part(device: str, devices: Iterable[str]) -> bool:
    part = PARTITION.match(device)
    return part is not None and (part[1] or part[2]) in devices
