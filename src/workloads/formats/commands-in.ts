// The commands of a part of a plan that says how something is verified: the lines that are one, and blocks of shell code.
import type { MarkdownLine } from './markdown.ts'
import { commandIn, commandOfBlock } from './shell-command.ts'

/** `words`: how many of the lines are no command. `isItem`: whether a line stands for itself; other lines are prose. */
export function commandsIn(
  lines: readonly MarkdownLine[],
  isItem: (line: MarkdownLine) => boolean,
): { verify: string[]; words: number } {
  const verify: string[] = []
  let words = 0
  let block: { language: string; lines: string[] } | null = null
  for (const line of lines) {
    const text = line.text.trim()
    if (line.isQuoted && block && /^(?:`{3,}|~{3,})$/.test(text)) {
      const command = commandOfBlock(block.language, block.lines)
      if (command !== null) verify.push(command)
      block = null
    } else if (line.isQuoted && block) block.lines.push(line.text)
    else if (line.isQuoted) block = { language: text.replace(/^[`~]+\s*/, ''), lines: [] }
    else if (isItem(line)) {
      const command = commandIn(text)
      if (command === null) words++
      else verify.push(command)
    }
  }
  return { verify, words }
}
