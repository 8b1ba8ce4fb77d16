// Sending the trace of a run; what that takes is loaded only here, when somebody asks for it.
import type { Run } from '../../engine/run/run.ts'

/** `since`: what ended before was sent by an earlier engine. To be disposed of when the run has come to rest. */
export async function sendTrace(run: Run, options: { since: number; version: string }): Promise<AsyncDisposable> {
  const { exportTrace } = await import('./export.ts')
  return exportTrace(run, options)
}
