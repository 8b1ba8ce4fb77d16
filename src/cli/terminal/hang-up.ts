// Handles a terminal that closes during a command: a lost connection, a closed window. Writes to it fail, and Node cannot exit in
// the usual way: it restores the settings of its terminal, which aborts if that is gone.

/** Ends this process with SIGHUP, like a program without a handler for it. */
export function endByHangUp(): never {
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
  process.exit(STATUS_OF_SIGHUP) // if the signal is blocked
}

const STATUS_OF_SIGHUP = 129

/** Whether a write failed because the terminal is gone. A disk can fail with the same error. */
export function isHangUp(stream: NodeJS.WriteStream, error: NodeJS.ErrnoException): boolean {
  return stream.isTTY && error.code === 'EIO'
}

/** False under `nohup`, where a closed terminal does not matter. Node itself does not respect it. */
export function isInTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
}
