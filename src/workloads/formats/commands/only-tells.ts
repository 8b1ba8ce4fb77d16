// Flags with which a command only says what it would do, or something about itself.
import { programOf } from './operands.ts'

/** `words`: of a real command. */
export function onlyTells(words: readonly string[]): boolean {
  const own = OWN.get(programOf(words))
  // With something behind it, `--version` is what is to be installed.
  return /^--(?:help|version)$/.test(words.at(-1) ?? '') || words.some((word) => FLAG.test(word) || own?.test(word))
}

const FLAG = /^--(?:dry-run|check|check-config|check-only|syntax-check|pretend|no-push)(?:$|=(?!false|none))/

/** What means something else elsewhere: `-n` of `git commit` leaves out the hooks. */
const OWN = new Map([
  ['make', /^-[Bikqs]*n[Bikqs]*$|^--(?:just-print|recon|question)$/],
  ['just', /^-n$|^--(?:list|show|summary)$/],
  ['alembic', /^--sql$/],
  ['gradle', /^-m$/],
  ['manage.py', /^--plan$/],
  ['np', /^--preview$/],
])
