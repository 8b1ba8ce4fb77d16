// The limits of a run, as its journal has them.
import type { Settings } from '../../config.ts'
import type { Limits } from '../../event.ts'

export function limitsOf(settings: Settings): Limits {
  const { maxConcurrency, maxPerEpic, schedule, strict, backoff, timeoutMs, retries, onStall, claims } = settings
  const { verify, window, batch, allgreen, reruns } = settings.landing
  const landing = { verify: verify.length > 0, window, batch, allgreen, reruns }
  const budget = { usd: settings.budgetUsd, onReached: settings.onBudget }
  const tasks = { timeoutMs, retries, onStall, claims }
  // With `autoConcurrency` the run begins with half: the machine watch adds slots.
  const most = settings.autoConcurrency ? Math.ceil(maxConcurrency / 2) : maxConcurrency
  const slots = settings.workersOnly ? 0 : most
  const labels = settings.labels.length > 0 ? { labels: settings.labels } : {}
  return { slots, ...labels, maxPerEpic, schedule, strict, backoff, ...tasks, landing, budget }
}
