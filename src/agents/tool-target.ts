import { type Json, listAt, textAt } from './json-line.ts'

/** What a tool is used on, in the words of its arguments: a command, a path, a pattern, an address. */
export function toolTarget(input: Json | null): string | null {
  for (const name of NAMES) {
    const text = textAt(input, name)
    if (text !== null) return text
    const words = listAt(input, name).filter((word) => typeof word === 'string')
    if (words.length > 0) return words.join(' ')
  }
  return null
}

/** The most telling first: a search has a pattern and a path. */
const NAMES = [
  'command',
  'file_path',
  'filePath',
  'absolute_path',
  'notebook_path',
  'pattern',
  'query',
  'url',
  'path',
  'dir_path',
  'skill',
  'description',
  'prompt',
]
