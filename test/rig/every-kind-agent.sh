# What the agents of every-kind.ts have in common. SIGNALS is the folder of the signals. An agent whose test was killed
# ends too: when the folder is gone, and after a minute in any case.

started() {
  # No signal to the agent's group reaches it.
  setsid sleep 60 </dev/null >/dev/null 2>&1 &
  echo "started $ESPALIER_TASK/$ESPALIER_ATTEMPT" >>"$SIGNALS/ran"
}

# It has done all of its work.
ended() {
  bill
  echo "ended $ESPALIER_TASK" >>"$SIGNALS/ran"
}

bill() { echo '{"type":"usage","inputTokens":10,"outputTokens":1,"costUsd":1}'; }

say() { : >"$SIGNALS/$1"; }

wait_for() { until_signal "$1" :; }

print_until() { until_signal "$1" echo here; }

until_signal() {
  signal=$1
  shift
  looks=0
  while [ -d "$SIGNALS" ] && [ ! -e "$SIGNALS/$signal" ] && [ $looks -lt 1200 ]; do
    "$@"
    sleep 0.05
    looks=$((looks + 1))
  done
}

# Uses a tool of the task manager: `tell NAME JSON`. It finds its way there by itself: only agents with a prompt are told.
tell() {
  ESPALIER_STATE=$(cd "$ESPALIER_LOG_DIR/../../../../.." && pwd)
  export ESPALIER_STATE
  tool=$1
  {
    printf '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
    printf '"capabilities":{},"clientInfo":{"name":"agent","version":"1"}}}\n'
    printf '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$tool" "$2"
  } | "$NODE" "$BIN" mcp
}
