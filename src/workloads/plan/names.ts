// Words for the parts of a plan in messages: those of its file.

export type Wording = {
  task: string
  epic: string
  taskName(id: string): string
  epicName(id: string): string
}

export const OWN_WORDING: Wording = { task: 'task', epic: 'epic', taskName: (id) => id, epicName: (id) => id }

export function several(word: string): string {
  return /(?:ch|s)$/.test(word) ? `${word}es` : `${word}s`
}
