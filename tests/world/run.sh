#!/usr/bin/env bash
# The tests of the world: a real browser, a real cluster, whatever needs more than Python.
# Installs what they need (as root, from Debian and npm), then runs every test marked `world`.
# A test that needs a Debian package names it in tests/world/packages.txt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
python=${1:-.venv/bin/python}
store=${2:-.venv/world}
axe=4.10.3

missing=()
while read -r package _; do
    case $package in '' | '#'*) continue ;; esac
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done <tests/world/packages.txt
command -v npm >/dev/null || missing+=(npm)
if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" != 0 ]; then
        echo "install first, as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
fi

mkdir -p "$store"
if [ ! -s "$store/axe-$axe.js" ]; then
    folder=$(mktemp -d)
    (cd "$folder" && npm pack --silent "axe-core@$axe" >/dev/null)
    tar -xzf "$folder/axe-core-$axe.tgz" -C "$folder" package/axe.min.js
    mv "$folder/package/axe.min.js" "$store/axe-$axe.js"
    rm -rf "$folder"
fi

case $store in /*) ;; *) store=$PWD/$store ;; esac
AXE=$store/axe-$axe.js exec "$python" -m pytest -m world tests/world
