# The agent of every task: takes a lock that only one process can have, works for a moment in steps, and leaves files that
# name the attempt. What it did is written down outside of the repository, for checks.ts.
witness=$1 steps=$2 fails=$3
exec 9>"$witness/$ESPALIER_TASK.lock"
flock -n 9 || echo "$ESPALIER_TASK $ESPALIER_ATTEMPT" >>"$witness/beside"
echo "work of $ESPALIER_TASK" >"$ESPALIER_TASK.txt"
echo "$ESPALIER_ATTEMPT" >"attempt-$ESPALIER_TASK-$ESPALIER_ATTEMPT.txt"
echo "$ESPALIER_TASK $ESPALIER_ATTEMPT" >>"$witness/wrote"
for _ in $(seq "$steps"); do
  echo x >>"steps-$ESPALIER_TASK.txt"
  sleep 0.05
done
if [ $((steps % 3)) = 0 ]; then git add -A && git commit -qm "$ESPALIER_TASK" || :; fi
if [ "$fails" = yes ] && mkdir "$witness/failed-$ESPALIER_TASK" 2>/dev/null; then exit 1; fi
exit 0
