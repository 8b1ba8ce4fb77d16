# The agent of every task: takes a lock that only one process can have, says what it costs, works for a moment, and leaves a file.
# What it did is written down outside of the repository, for checks.ts.
witness=$1 seconds=$2
exec 9>"$witness/locks/$ESPALIER_TASK"
flock -n 9 || echo "$ESPALIER_TASK $ESPALIER_ATTEMPT" >>"$witness/beside"
echo '{"type":"usage","inputTokens":100,"outputTokens":10,"costUsd":0.01}'
echo "$ESPALIER_TASK $ESPALIER_ATTEMPT" >>"$witness/paid"
sleep "$seconds"
echo "work of $ESPALIER_TASK" >"$ESPALIER_TASK.txt"
