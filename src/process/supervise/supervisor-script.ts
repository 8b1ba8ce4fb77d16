// The program that every command of an attempt runs under: a POSIX `sh` (dash, busybox, bash) in a session of its
// own. It outlives the engine. Files it leaves in the attempt's folder:
//   supervisor   who it is, and the token of its command. Created exclusively: a folder that already has one is not run again, so an engine that
//                finds none can create it itself and knows that nothing will ever start there.
//   output.aaa … what the command wrote, in chunks of one size; errors.aaa … where stderr is kept apart.
//   status.tmp   how the command ended, from the moment it did; blank until then.
//   exit         the same file, renamed when all output has been written too, by the engine that started the supervisor,
//                or by the supervisor where that is gone. Nothing changes after that.
//   asked        somebody other than the engine asked the command to end (exit.ts).
//   group        the control group of the command, where it has one; written by the engine (process/tree/control-group.ts).
//   output-lost  exists where output could not be written (disk full, more chunks than there are names).
// Its variables have a prefix, because an assignment to a name that came with the environment reaches the command.
import { type ProcessIdentity, pidNamespace } from '../tree/identity.ts'
import { markArgument } from '../tree/mark.ts'

export const SUPERVISOR_NAME = 'espalier-supervisor'

/** Marks every process of the command's tree, and nothing of the supervisor. */
export const TOKEN_VARIABLE = 'ESPALIER_TOKEN'
export const HIDDEN_TOKEN_VARIABLE = 'ESPALIER_SUPERVISOR_TOKEN'

const SUPERVISOR_SCRIPT = String.raw`
set -f
espalier_dir=$1 espalier_cwd=$2 espalier_stdin=$3 espalier_chunk=$4 espalier_stderr=$5 espalier_keep=$6 espalier_group=$7
espalier_mark=$8 espalier_engine=${'$'}{9%:*} espalier_namespace=${'$'}{9##*:}
shift 9
espalier_token=$ESPALIER_SUPERVISOR_TOKEN
unset ESPALIER_SUPERVISOR_TOKEN

# A command that signals its own process group ("kill 0") must not end its supervisor. Caught, not ignored:
# what is ignored stays ignored in the command.
trap : HUP INT QUIT TERM

espalier_start_of() { espalier_state=$1; shift 19; espalier_start=$1; }
if [ -r /proc/$$/stat ]; then
  read -r espalier_stat </proc/$$/stat
  read -r espalier_boot </proc/sys/kernel/random/boot_id
  espalier_start_of ${'$'}{espalier_stat##*) }
else
  espalier_start=$(TZ=UTC LC_ALL=C ps -o lstart= -p $$)
  espalier_boot=$(sysctl -n kern.bootsessionuuid)
fi
set -C
# The status has its room from the start: a disk that fills up later cannot keep it from being written.
printf '%63s\n' '' >"$espalier_dir/status.tmp" || exit 1
printf '{"pid":%s,"startTime":"%s","bootId":"%s","namespace":"%s","token":"%s"}\n' \
  $$ "$espalier_start" "$espalier_boot" "$espalier_namespace" "$espalier_token" \
  >"$espalier_dir/supervisor" || exit 1
set +C

# In place (<>), where there is room. Where even that fails it waits: a finished attempt must not have been for nothing.
espalier_record() {
  until printf '%s\n' "$1" 1<>"$espalier_dir/status.tmp"; do
    [ -d "$espalier_dir" ] || exit 1
    sleep 1
  done
}
# The engine that started this learns that it has ended, and renames the file: one process less.
espalier_engine_lives() {
  if [ ! -r /proc/$$/stat ]; then kill -0 "${'$'}{espalier_engine%%:*}" 2>/dev/null; return; fi
  read -r espalier_stat 2>/dev/null <"/proc/${'$'}{espalier_engine%%:*}/stat" || return
  espalier_start_of ${'$'}{espalier_stat##*) }
  [ "$espalier_start" = "${'$'}{espalier_engine#*:}" ] && [ "$espalier_state" != Z ]
}
espalier_publish() {
  if espalier_engine_lives; then return; fi
  until mv -f "$espalier_dir/status.tmp" "$espalier_dir/exit"; do
    [ -e "$espalier_dir/status.tmp" ] || exit 1
    sleep 1
  done
}
espalier_refuse() {
  espalier_record "{\"refused\":\"$1\"}"
  espalier_publish
  exit 0
}

for espalier_tool in split mv sleep cat; do
  command -v $espalier_tool >/dev/null || { printf '{"refused":"no-%s"}\n' $espalier_tool >"$espalier_dir/exit"; exit 1; }
done
cd "$espalier_cwd" >/dev/null || espalier_refuse no-cwd
[ -r "$espalier_stdin" ] || espalier_refuse no-stdin
case $1 in
  */*) [ -f "$1" ] && [ -x "$1" ] ;;
  *) command -v "$1" >/dev/null ;;
esac || espalier_refuse no-command

# A session of its own keeps "kill -9 0" away from the supervisor; without setsid (macOS) only the traps do.
if command -v setsid >/dev/null; then espalier_setsid=setsid; else espalier_setsid=; fi

# 0 is whoever writes it. A record of a group that was not entered would say that nothing is left of the command.
espalier_enter() {
  echo 0 >"$espalier_group/cgroup.procs" || { rm -f "$espalier_dir/group"; rmdir "$espalier_group"; }
}

# Standard error of the command goes to descriptor 3; this shell's own ("Terminated", …) goes nowhere.
# A machine that shuts down asks everybody to end, the supervisor too.
espalier_command() {
  trap : HUP INT QUIT
  trap ': >"$espalier_dir/asked"' TERM
  (
    unset OLDPWD
    [ -z "$espalier_group" ] || espalier_enter 2>/dev/null
    [ -z "$espalier_mark" ] || ulimit -S -m "$espalier_mark" 2>/dev/null
    ESPALIER_TOKEN=$espalier_token
    export ESPALIER_TOKEN
    exec $espalier_setsid "$@"
  ) <"$espalier_stdin" 2>&3 3>&- 4>&-
  espalier_record "{\"code\":$?}"
}

# split writes what it reads at once, and into chunks. When it cannot, the command goes on and its output is dropped.
espalier_log() {
  trap '' HUP INT QUIT TERM USR1 USR2 ALRM PIPE
  espalier_split "$1" || {
    : >"$espalier_dir/output-lost"
    cat >/dev/null
  }
}

# GNU split starts a shell for each chunk: it removes the oldest chunks but the first, so that the output stays within
# its bound while no engine lives, and becomes the cat that writes the chunk. Every other split refuses before it has
# read anything, and leaves the removing to the engine. 9 is a chunk that could not be created: no reason to go on.
espalier_split() {
  if [ -n "$espalier_keep" ]; then
    LC_ALL=C SHELL=/bin/sh split -b "$espalier_chunk" -a 3 --filter='
      set -- "${'$'}{FILE%???}"???
      shift
      while [ $# -gt '"$espalier_keep"' ]; do rm -f "$1"; shift; done
      : >"$FILE" || exit 9
      exec cat >"$FILE"
    ' - "$espalier_dir/$1." && return
    if [ $? = 9 ] || [ -e "$espalier_dir/$1.aaa" ]; then return 1; fi
  fi
  split -b "$espalier_chunk" -a 3 - "$espalier_dir/$1."
}

if [ "$espalier_stderr" = merge ]; then
  espalier_command "$@" 3>&1 | espalier_log output
else
  { espalier_command "$@" 3>&4 | espalier_log output 4>&-; } 4>&1 | espalier_log errors
fi
espalier_publish
`

/** Smaller chunks are not worth a shell each; 17,576 of them, all that split has names for, are 1 GB. */
const SMALLEST_FILTERED = 64 << 10

export function supervisorArguments(command: {
  dir: string
  cwd: string
  argv: string[]
  stdin: string | null
  stderr: 'merge' | 'separate'
  chunkBytes: number
  maxBytes: number
  group: string | null
  token: string
  engine: ProcessIdentity | null
}): string[] {
  const { dir, cwd, argv, stdin, stderr, chunkBytes, maxBytes, group, token, engine } = command
  // Between the first chunk and the one that begins.
  const middle = Math.max(0, Math.floor(maxBytes / chunkBytes) - 2)
  return [
    '-c',
    SUPERVISOR_SCRIPT,
    SUPERVISOR_NAME,
    dir,
    cwd,
    stdin ?? '/dev/null',
    String(chunkBytes),
    stderr,
    chunkBytes < SMALLEST_FILTERED ? '' : String(middle),
    group ?? '',
    markArgument(token),
    `${engine ? `${engine.pid}:${engine.startTime}` : ''}:${pidNamespace()}`,
    ...argv,
  ]
}
