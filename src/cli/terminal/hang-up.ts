// A terminal that was closed under us: a lost connection, a window that somebody shut. What is written to it fails, and
// Node cannot even exit in the usual way: it puts the settings of its terminal back, which aborts where that is gone.

/** Ends this process as a hang-up ends every program that has nothing to say about it: by the signal. */
export function endByHangUp(): never {
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
  process.exit(STATUS_OF_SIGHUP) // where the signal is held back
}

const STATUS_OF_SIGHUP = 129

/** Whether writing has failed because the terminal is gone. A disk can fail with the same error. */
export function isHangUp(stream: NodeJS.WriteStream, error: NodeJS.ErrnoException): boolean {
  return stream.isTTY && error.code === 'EIO'
}

/** False under `nohup`, which Node itself pays no heed to: there a closed terminal is nothing to us. */
export function isInTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
}
