// Commands of git that change what it keeps. A check reads: what an agent has done is committed by Espalier, so nothing is to
// be put away, taken back or pushed.
import { onlyTells } from './only-tells.ts'
import { operandsOf } from './operands.ts'

/** `words`: `git` and its arguments. */
export function changesHistory(words: readonly string[]): boolean {
  const [command, ...more] = operandsOf(words)
  if (command === undefined || onlyTells(words) || READS.has(command)) return false
  if (command === 'stash') return !READING.has(more[0] ?? '')
  if (!LISTS.has(command)) return true
  if (command === 'config' && more.length === 1) return words.some((word) => /^--(?:unset|remove|edit)|^-e$/.test(word))
  // Alone, or only with flags, they list.
  return more.length > 0 && !READING.has(more[0] ?? '') && !words.some((word) => LIST_FLAG.test(word))
}

const READS = new Set(
  (
    'diff log show status grep ls-files ls-tree ls-remote rev-parse rev-list cat-file describe blame shortlog merge-base ' +
    'merge-tree range-diff cherry check-ignore check-attr check-ref-format check-mailmap name-rev version help fsck ' +
    'diff-tree diff-index diff-files for-each-ref verify-commit verify-tag verify-pack count-objects symbolic-ref show-ref ' +
    'show-branch hash-object archive var whatchanged interpret-trailers stripspace'
  ).split(' '),
)

const LISTS = new Set([
  'branch',
  'tag',
  'remote',
  'worktree',
  'config',
  'notes',
  'submodule',
  'lfs',
  'bundle',
  'reflog',
])
const READING = new Set(['list', 'show', 'status', 'summary', 'get', 'get-url', 'ls-files', 'fsck', 'verify', 'exists'])
const LIST_FLAG =
  /^(?:-l|--(?:list|get|get-all|get-regexp|contains|no-contains|merged|no-merged|points-at|verify))(?:=|$)/
