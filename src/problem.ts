// A problem in something a person wrote: the place, if there is one, and what to do about it.

export type Problem = {
  file: string | null
  /** Both count from 1. */
  line: number | null
  column: number | null
  message: string
  severity: 'error' | 'warning'
}

export type Result<T> = { ok: true; value: T } | { ok: false; problems: Problem[] }

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function mapped<T, U>(result: Result<T>, map: (value: T) => U): Result<U> {
  return result.ok ? ok(map(result.value)) : result
}

export function refuse<T>(...problems: (Problem | string)[]): Result<T> {
  return { ok: false, problems: problems.map((p) => (typeof p === 'string' ? problem(p) : p)) }
}

export function problem(message: string, place: Partial<Omit<Problem, 'message'>> = {}): Problem {
  return { file: null, line: null, column: null, severity: 'error', ...place, message }
}

/** `plan.yaml:12:5: message` */
export function formatProblem({ file, line, column, message, severity }: Problem): string {
  const place = [file, line, column].filter((part) => part !== null).join(':')
  const text = severity === 'warning' ? `warning: ${message}` : message
  return place ? `${place}: ${text}` : text
}
