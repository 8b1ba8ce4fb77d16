// Changes without a claim, changes of the same files by two tasks, and changes of files that other programs run.
import type { PathList } from '../../status.ts'
import type { Facts } from '../facts/run.ts'
import { plural } from '../wording.ts'
import { listed, type ReportSection } from './section.ts'

const MAX_ENTRIES = 50
const MAX_PATHS = 10

export function claimSections({ claims, flagged }: Pick<Facts, 'claims' | 'flagged'>): ReportSection[] {
  return [
    section('Changed files that other programs run or obey', flagged),
    section('Changed without a claim', claims.undeclared),
    section('Changed by two tasks at the same time', claims.overlaps),
  ]
}

function section(
  title: string,
  facts: readonly (PathList & ({ task: string } | { tasks: string[] }))[],
): ReportSection {
  const list = facts.slice(0, MAX_ENTRIES).map((fact) => {
    const shown = fact.paths.slice(0, MAX_PATHS)
    // Folders stand for what is in them, so the list alone does not say how many there are.
    const total = fact.count > shown.length ? [` (${plural(fact.count, 'path')})`] : []
    const tasks = 'task' in fact ? [fact.task] : fact.tasks
    return [{ tasks }, ': ', ...listed(shown.map((code) => ({ code }))), ...total]
  })
  return { title, list, leftOut: facts.length - list.length }
}
