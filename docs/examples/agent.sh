#!/bin/sh
# The smallest useful agent: appends the first line of its prompt to a file named after the task.
set -eu
prompt=$(head -n 1)
echo '{"type":"progress","message":"writing"}'
mkdir -p notes
printf '%s\n' "$prompt" >> "notes/$ESPALIER_TASK.md"
echo '{"type":"outcome","status":"success","summary":"wrote a note"}'
