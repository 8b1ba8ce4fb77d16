// Changes without a claim, and changes of files that other programs run.
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
  ]
}

function section(title: string, facts: readonly (PathList & { task: string })[]): ReportSection {
  const list = facts.slice(0, MAX_ENTRIES).map((fact) => {
    const shown = fact.paths.slice(0, MAX_PATHS)
    // Folders stand for what is in them, so the list alone does not say how many there are.
    const total = fact.count > shown.length ? [` (${plural(fact.count, 'path')})`] : []
    return [{ tasks: [fact.task] }, ': ', ...listed(shown.map((code) => ({ code }))), ...total]
  })
  return { title, list, leftOut: facts.length - list.length }
}
