// The commands of a part of a plan that says how something is verified: the lines that are one, and blocks of shell code.
import type { MarkdownLine } from './markdown.ts'
import { commandOfBlock, commandsOfItem } from './shell-command.ts'

/** `words`: how many of the lines are more than commands. */
export type Verification = { verify: string[]; words: number }

/** `isItem`: whether a line stands for itself; other lines are prose. */
export function commandsIn(lines: readonly MarkdownLine[], isItem: (line: MarkdownLine) => boolean): Verification {
  const verify: string[] = []
  let words = 0
  let block: { fence: string; language: string; lines: string[] } | null = null
  for (const line of lines) {
    const text = line.text.trim()
    if (line.isQuoted && block) {
      if (!text.startsWith(block.fence) || /[^`~]/.test(text)) block.lines.push(line.text)
      else {
        const command = commandOfBlock(block.language, block.lines)
        if (command !== null) verify.push(command)
        block = null
      }
    } else if (line.isQuoted) block = blockAt(text)
    else if (isItem(line)) {
      const item = commandsOfItem(text)
      verify.push(...item.verify)
      if (item.hasWords && !SAYS_NOTHING.test(text)) words++
    }
  }
  return { verify, words }
}

/** A line that leads to the next ones, and one that says that there is nothing to verify. */
const SAYS_NOTHING = /:$|^(?:[-*+] )?(?:none|n\/a)\.?$/i

/** Null for what is quoted and no code: a comment. */
function blockAt(text: string): { fence: string; language: string; lines: string[] } | null {
  const match = /^(`{3,}|~{3,})\s*(\S*)/.exec(text)
  return match && { fence: match[1] ?? '', language: match[2] ?? '', lines: [] }
}

/** What is said of all the words in the verifications of a plan. */
export function wordsAreTold(words: number): string {
  const lines =
    words === 1
      ? 'a line of a verification is words, not a command'
      : `${words} lines of verifications are words, not commands`
  return `${lines}: told to the agent, not run`
}
