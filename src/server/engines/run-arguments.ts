// The settings of a request as flags. Each value stands behind an equals sign: it can never be taken for a flag.
import type { RunSettings } from '../protocol/inputs.ts'

export function settingFlags(settings: RunSettings): string[] {
  const { maxConcurrency, maxPerEpic, agent, command, strict, retries, timeoutMs, budgetUsd, onBudget } = settings
  const { strictBudget, writeBack } = settings
  return [
    ...flag('--max-concurrency', maxConcurrency),
    ...flag('--max-per-epic', maxPerEpic),
    ...flag('--agent', agent),
    ...flag('--command', command),
    ...(strict ? ['--strict'] : []),
    ...flag('--retries', retries),
    ...flag('--timeout', timeoutMs === undefined ? undefined : `${Math.ceil(timeoutMs / 1000)}s`),
    ...flag('--budget-usd', budgetUsd === null ? 'none' : budgetUsd === undefined ? undefined : decimal(budgetUsd)),
    ...flag('--on-budget', onBudget),
    ...(strictBudget ? ['--strict-budget'] : []),
    ...(writeBack === false ? ['--no-write-back'] : []),
  ]
}

export function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`${name}=${value}`]
}

/** Never as `1e-7`. */
function decimal(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '')
}
