// What surrounds a task in its file (the words of its batch, of its phase) is repeated in its prompt. It has a limit,
// so that a file of a few megabytes does not become one of gigabytes.

const MAX_CHARS = 4_000
const MAX_CHARS_OF_ALL = 32 << 20

/** `tasks`: how many have such words. Every part is cut before they are joined: one alone may be megabytes. */
export function contextText(parts: string | readonly string[], tasks: number): string {
  const limit = Math.min(MAX_CHARS, Math.floor(MAX_CHARS_OF_ALL / Math.max(tasks, 1)))
  const text = [parts]
    .flat()
    .map((part) => part.slice(0, limit + 1))
    .filter(Boolean)
    .join('\n\n')
  return text.length <= limit ? text : `${text.slice(0, limit)}\n(cut: the rest is in the plan)`
}
