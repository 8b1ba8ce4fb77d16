// Entry by variant: how often it passed at the first try, how sure that is, what it took and what it cost.
import { allTokens } from '../../usage.ts'
import type { EntryResult } from './entry-results.ts'
import { passAtK, wilsonInterval } from './statistics.ts'

export type MatrixCell = ReturnType<typeof cellOf>
export type MatrixTable = NonNullable<ReturnType<typeof matrixOf>>

/** Table of a suite with a matrix or repetitions; null: neither. `variants` adds up all entries of a variant. */
export function matrixOf(results: readonly EntryResult[]) {
  const counted = results.filter(({ side }) => side !== 'base')
  const axes = [...new Set(counted.flatMap(({ variant }) => Object.keys(variant)))]
  const isRepeated = counted.some(({ repetition }) => repetition !== null)
  if (axes.length === 0 && !isRepeated) return null
  const nameOf = (variant: Record<string, string>) => JSON.stringify(axes.map((axis) => variant[axis] ?? ''))
  const byCell = Map.groupBy(counted, ({ entry, variant }) => `${entry}\0${nameOf(variant)}`)
  const byVariant = Map.groupBy(counted, ({ variant }) => nameOf(variant))
  return {
    axes,
    cells: [...byCell.values()].map((group) => cellOf(group, group[0]?.entry ?? '')),
    variants: axes.length === 0 ? [] : [...byVariant.values()].map((group) => cellOf(group, '')),
  }
}

function cellOf(group: readonly EntryResult[], entry: string) {
  const seen = group.filter(({ verdict }) => verdict === 'passed' || verdict === 'flaky' || verdict === 'failed')
  const passed = seen.filter(({ verdict }) => verdict === 'passed').length
  const times = seen.flatMap(({ durationMs }) => durationMs ?? [])
  const ks = seen.length > 1 ? [1, 2, 3, 5, 10].filter((k) => k <= seen.length) : []
  const sum = (of: (result: EntryResult) => number) => group.reduce((all, result) => all + of(result), 0)
  return {
    entry,
    variant: group[0]?.variant ?? {},
    /** Runs with a verdict, and those of them that passed at the first try. */
    looks: seen.length,
    passed,
    rate: seen.length === 0 ? 0 : passed / seen.length,
    interval: wilsonInterval(passed, seen.length),
    /** Probability by k that at least one of k passes. Only for repeated entries. */
    passAt: Object.fromEntries(ks.map((k) => [String(k), passAtK(seen.length, passed, k)])),
    /** The mean of the last tries. */
    durationMs: times.length === 0 ? null : times.reduce((all, ms) => all + ms, 0) / times.length,
    tokens: sum(({ usage }) => allTokens(usage)),
    costUsd: sum(({ usage }) => usage.costUsd),
  }
}
