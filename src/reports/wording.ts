// Figures as people read them, the same words in every format.

import type { DiffStat } from '../view.ts'

export type Figure = [label: string, value: string, note: string]

/** `12,345` */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}

/** `2026-03-01 21:58 UTC`: reports say the same wherever they are made. */
export function clock(time: number): string {
  const date = new Date(time)
  const valid = Number.isNaN(date.getTime()) ? new Date(0) : date
  return `${valid.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

export function diffWords(diff: DiffStat): string {
  return `${plural(diff.files, 'file')} +${count(diff.insertions)} −${count(diff.deletions)}`
}

export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** Commits are shown as git shows them. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 10)
}
