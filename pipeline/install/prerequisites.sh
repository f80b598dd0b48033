#!/bin/sh
# Name every program that is missing or too old, each with the line that installs it on Debian and
# Ubuntu. Everything else that Perfpress needs is installed into this directory by `make`.
set -u
python=${PYTHON:-python3}
missing=0
# An empty container image has no sudo, and needs none.
install="apt-get install -y"
command -v sudo >/dev/null && install="sudo $install"

# need WHAT-IS-WRONG LINE-THAT-INSTALLS-IT
need() {
    echo "$1; install it with:" >&2
    echo "    $2" >&2
    missing=1
}

command -v git >/dev/null ||
    need "git is missing" "$install git"

if ! command -v "$python" >/dev/null; then
    need "$python is missing; expected Python 3.11 or newer" "$install python3 python3-venv"
elif ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    need "$python is $("$python" -V 2>&1); expected Python 3.11 or newer" \
        "$install python3.11 && make PYTHON=python3.11"
elif ! "$python" -c 'import ensurepip, ssl' 2>/dev/null; then
    # Debian parts venv from python3, and python3-minimal has less still.
    need "$python has only a part of its standard library; expected all of it" \
        "$install python3 python3-venv"
fi

exit "$missing"
