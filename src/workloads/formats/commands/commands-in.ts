// The commands of a part of a plan that says how something is verified: the lines that are one, and blocks of shell code.

import { isBlank, type MarkdownLine } from '../markdown/lines.ts'
import { cellsOf, isRow, isRule } from '../markdown/table-rows.ts'
import { firstSentence, wantsNoSuccess } from './expected-outcome.ts'
import type { NotRun } from './gate.ts'
import { type Commands, commandOfBlock, commandsOfItem } from './shell-command.ts'

export type Verification = {
  verify: string[]
  /** The numbers of the lines that are more than commands. */
  words: number[]
  /** Commands that are no gates, and where they stand. */
  notRun: (NotRun & { line: number })[]
}

export const NO_VERIFICATION: Verification = { verify: [], words: [], notRun: [] }

export function commandsIn(lines: readonly MarkdownLine[]): Verification {
  const found: Verification = { verify: [], words: [], notRun: [] }
  let block: Block | null = null
  // Only right below a command is something said about it.
  let isBelow = false
  for (const [i, line] of lines.entries()) {
    const text = line.text.trim()
    if (!line.isQuoted) block = null
    if (block && !endsBlock(text, block)) block.lines.push(line.text)
    else if (block) {
      isBelow = addBlock(block, found)
      block = null
    } else if (line.isQuoted) block = blockAt(line)
    else if (isBlank(line) || line.heading || isHead(line, lines[i + 1])) continue
    else if (!isBelow || !takesBack(text, line.number, found)) {
      const item = isRow(text) ? commandsOfRow(text) : commandsOfItem(text)
      addItem(item, text, line.number, found)
      isBelow = item.verify.length > 0
    }
  }
  return found
}

/** The lines of one after those of the other. */
export function bothOf(first: Verification, second: Verification): Verification {
  return {
    verify: [...new Set([...first.verify, ...second.verify])],
    words: [...first.words, ...second.words],
    notRun: [...first.notRun, ...second.notRun],
  }
}

/** `text`: the line it stands in. */
export function addItem({ verify, hasWords, notRun }: Commands, text: string, line: number, found: Verification): void {
  found.verify.push(...verify)
  found.notRun.push(...notRun.map((one) => ({ ...one, line })))
  if (hasWords && !LEADS_ON.test(text)) found.words.push(line)
}

/** `depth`: how many blocks have begun within it and not ended. */
type Block = { fence: string; language: string; lines: string[]; line: number; depth: number }

/** Null for what is quoted and no code: a comment. */
function blockAt({ text, number }: MarkdownLine): Block | null {
  const match = /^\s*(`{3,}|~{3,})\s*(\S*)/.exec(text)
  return match && { fence: match[1] ?? '', language: match[2] ?? '', lines: [], line: number, depth: 0 }
}

function endsBlock(text: string, block: Block): boolean {
  if (!text.startsWith(block.fence)) return false
  if (/[^`~]/.test(text)) block.depth++
  else block.depth--
  return block.depth < 0
}

/** Whether it is run. */
function addBlock({ language, lines, line }: Block, found: Verification): boolean {
  const gate = commandOfBlock(language, lines)
  if (gate && 'run' in gate) found.verify.push(gate.run)
  else if (gate) found.notRun.push({ ...gate.notRun, line })
  return gate !== null && 'run' in gate
}

/** What was meant to be run may say in the line below that it is to fail: `Expected: FAIL`, `All of them should return nothing`. */
function takesBack(text: string, line: number, found: Verification): boolean {
  const last = found.verify.at(-1)
  const expected = EXPECTED.exec(text)?.[1]
  if (last === undefined || (expected === undefined && !EXPECTS.test(text))) return false
  if (!wantsNoSuccess(last, firstSentence(expected ?? text))) return expected !== undefined
  found.verify.pop()
  found.words.push(line)
  return true
}

const EXPECTED = /^(?:[-*+]\s+)?(?:\*\*)?expect(?:ed|s|ation)?(?:\s+(?:output|result|outcome))?(?:\*\*)?\s*:(.*)$/i
const EXPECTS = /^(?:(?:all|both|each|this|these|it|they|the)\b.{0,40}\s)?(?:should|must)\s/i

/** A line that leads to the next ones, one that says that there is nothing to verify, and a line across the page. */
const LEADS_ON = /:(?:\*\*)?$|^(?:[-*+] )?(?:none|n\/a)\.?$|^(?:-{3,}|\*{3,}|_{3,})$/i

/** Of a table: the names of the columns, and the line below them. */
function isHead({ text }: MarkdownLine, next: MarkdownLine | undefined): boolean {
  return isRow(text) && (isRule(text) || (next !== undefined && isRule(next.text)))
}

/** More than any table of checks has. */
const MAX_CELLS = 20

/** One cell has the command, and another one may say what is to come of it. */
function commandsOfRow(row: string): Commands {
  const cells = cellsOf(row).slice(0, MAX_CELLS)
  for (const [i, cell] of cells.entries()) {
    const commands = commandsOfItem(cell)
    const [command] = commands.verify
    if (command === undefined && commands.notRun.length === 0) continue
    const others = cells.filter((_, at) => at !== i).join(' ')
    const isOther = command !== undefined && wantsNoSuccess(command, others)
    return isOther ? { verify: [], hasWords: true, notRun: [] } : commands
  }
  return { verify: [], hasWords: true, notRun: [] }
}

/** What is said of all the words in the verifications of a plan. */
export function wordsAreTold(words: number): string {
  const lines =
    words === 1
      ? 'a line of a verification is words, not a command'
      : `${words} lines of verifications are words, not commands`
  return `${lines}: told to the agent, not run`
}
