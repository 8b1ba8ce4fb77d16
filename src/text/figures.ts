// Figures as people read them: the same words in every command and report.
import type { DiffStat } from '../event.ts'

/** `1 task`, `12,345 tasks`, `3 batches` */
export function count(number: number, noun: string, nouns = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : nouns}`
}

/** `12,345` */
export function grouped(number: number): string {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ',')
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}

/** `3 files +10 -2` */
export function diffText({ files, insertions, deletions }: DiffStat): string {
  return `${count(files, 'file')} +${grouped(insertions)} -${grouped(deletions)}`
}

export function shortCommit(commit: string): string {
  return commit.slice(0, 8)
}

/** `2026-03-01 21:58`, in UTC: the same wherever it is written. */
export function clock(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}
