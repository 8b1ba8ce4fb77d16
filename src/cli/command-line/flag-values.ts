// Parsers for the values of flags, with error messages in the words of the flag.
import { InvalidArgumentError } from 'commander'
import { LIMITS } from '../../config.ts'
import { LABEL_PATTERN } from '../../task.ts'
import { parseDuration } from '../../text/duration.ts'

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (number >= min && number <= max) return number
    const upTo = max === Number.MAX_SAFE_INTEGER ? 'or more' : `to ${max}`
    throw new InvalidArgumentError(`It must be a whole number, ${min} ${upTo}.`)
  }
}

export function orAuto(max: number): (text: string) => number | 'auto' {
  return (text) => (text === 'auto' ? text : wholeNumber(1, max)(text))
}

/** `1,2,4`: unique, in ascending order. */
export function workers(text: string): number[] {
  const numbers = text.split(',').map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : Number.NaN))
  const isRight = numbers.every((number) => number >= 1 && number <= LIMITS.slots)
  if (isRight && numbers.length <= LIMITS.simulations) return numbers
  throw new InvalidArgumentError(
    `It must be at most ${LIMITS.simulations} whole numbers from 1 to ${LIMITS.slots}, such as 1,2,4,8.`,
  )
}

/** `gpu,arm`. */
export function labels(text: string): string[] {
  const names = text.split(',').map((part) => part.trim())
  if (names.every((name) => LABEL_PATTERN.test(name)) && names.length <= LIMITS.labels) return names
  throw new InvalidArgumentError('It must be names such as gpu,arm.')
}

/** `gpu=2,port=10`. */
export function resources(text: string): Record<string, number> {
  const pairs = text.split(',').map((part) => /^\s*([a-z][a-z0-9_-]{0,39})=([1-9]\d{0,3})\s*$/.exec(part))
  if (pairs.every((pair) => pair !== null))
    return Object.fromEntries(pairs.map(([, name, count]) => [name, Number(count)]))
  throw new InvalidArgumentError('It must be numbers of resources such as gpu=2,port=10.')
}

export function share(text: string): number {
  const number = /^(\d+(\.\d+)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN
  if (number <= 1) return number
  throw new InvalidArgumentError('It must be a number from 0 to 1.')
}

/** `none`: no limit. Not null, which commander takes for a flag without a value. */
export function dollars(text: string): number | 'none' {
  if (text === 'none') return text
  const usd = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0
  if (usd > 0) return usd
  throw new InvalidArgumentError('It must be an amount of US dollars such as 20 or 0.5, or none.')
}

export function filled(flag: string): (text: string) => string {
  return (text) => {
    if (text.trim() !== '') return text
    throw new InvalidArgumentError(`${flag} is empty.`)
  }
}

/** Refuses other endings: in `--html plan.yaml` the plan is meant for the command, and must not be overwritten by a page. */
export function endingIn(flag: string, ...endings: string[]): (text: string) => string {
  return (text) => {
    if (text === '-' || endings.some((ending) => text.endsWith(ending))) return text
    throw new InvalidArgumentError(`Its file must end in ${endings[0]}. A plan or a run goes before ${flag}.`)
  }
}

export const duration = durationUpTo(LIMITS.durationMs)

export function durationUpTo(mostMs: number): (text: string) => number {
  return (text) => {
    const ms = parseDuration(text)
    if (ms === null || ms <= 0) throw new InvalidArgumentError('It must be a time such as 90s, 30m or 2h.')
    if (ms <= mostMs) return ms
    throw new InvalidArgumentError(`It must be at most ${Math.floor(mostMs / 86_400_000)}d.`)
  }
}

export function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
