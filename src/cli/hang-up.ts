// A terminal that was closed under us: a lost connection, a window that somebody shut. What is written to it fails, and
// Node cannot even exit in the usual way: it puts the settings of its terminal back, which aborts where that is gone.

/** Ends this process as a hang-up ends every program that has nothing to say about it: by the signal. */
export function endByHangUp(): never {
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
  process.exit(STATUS_OF_SIGHUP) // where the signal is held back
}

const STATUS_OF_SIGHUP = 129

/** What writing to a terminal fails with when it is gone. */
export function isHangUp(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EIO'
}
