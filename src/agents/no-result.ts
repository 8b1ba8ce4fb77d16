import type { Failure } from '../failure.ts'
import type { ProcessEnd } from './agent.ts'

/** Its last word is missing, so whatever its exit status says, it is not known to have done its work. */
export function endedWithoutResult(program: string, { code, signal }: ProcessEnd, said: string): Failure {
  const last = said ? `; it said: ${said}` : ''
  if (signal !== null) return { reason: 'agent-crashed', message: `${program} was ended by ${signal}${last}` }
  const message = `${program} exited with status ${code} and no result${last}`
  return { reason: code === 0 ? 'agent-crashed' : 'agent-failed', message }
}
