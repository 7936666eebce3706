#!/bin/sh
# Audits all matches in a folder, for a timer, a git hook or any service that runs commands:
#
#     audit.sh [FOLDER]
#
# No key is needed. Exits as `mbp audit` does: 0 if everything holds, 4 if somebody's entry does
# not, 3 if a file is none of mbp's or damaged. MBP names another program than the one in PATH.
set -eu

folder=${1:-games}
mbp=${MBP:-mbp}

if "$mbp" audit --jobs 2 "$folder"; then
    exit 0
else
    code=$?
fi
case $code in
    3) echo "a file in $folder is damaged: ask for it again" >&2 ;;
    4) echo "an entry in $folder does not hold: its author stands above" >&2 ;;
esac
exit "$code"
