// Variables by which a process names its attempt: the task manager knows by them for whom it is asked.
import { TOKEN_VARIABLE } from '../process/supervise/supervisor-script.ts'

export type AttemptIdentity = { stateRoot: string; run: string; task: string; attempt: number; token: string }

export function identityVariables({ stateRoot, run, task, attempt, token }: AttemptIdentity): Record<string, string> {
  return {
    [STATE_VARIABLE]: stateRoot,
    ESPALIER_RUN: run,
    ESPALIER_TASK: task,
    ESPALIER_ATTEMPT: String(attempt),
    [TOKEN_VARIABLE]: token,
  }
}

/** Null: one of them is missing, so this is no process of an attempt. */
export function identityOf(env: Readonly<Record<string, string | undefined>>): AttemptIdentity | null {
  const { ESPALIER_RUN: run, ESPALIER_TASK: task, ESPALIER_ATTEMPT: number } = env
  const [stateRoot, token] = [env[STATE_VARIABLE], env[TOKEN_VARIABLE]]
  const attempt = /^\d{1,9}$/.test(number ?? '') ? Number(number) : 0
  if (!stateRoot || !run || !task || !token || attempt === 0) return null
  return { stateRoot, run, task, attempt, token }
}

/** Not the variable of the setting `stateDir`: an espalier that an agent starts would use the same folder. */
const STATE_VARIABLE = 'ESPALIER_STATE'
