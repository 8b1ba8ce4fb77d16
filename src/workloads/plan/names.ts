// What messages call the parts of a plan: as its file does. In a file of another format the tasks may be features or
// issues, and have names that are no ids here.

export type Wording = {
  /** `task`, `feature`, `subtask`: one of them. */
  task: string
  /** `epic`, `phase`, `batch` */
  epic: string
  taskName(id: string): string
  epicName(id: string): string
}

export const OWN_WORDING: Wording = { task: 'task', epic: 'epic', taskName: (id) => id, epicName: (id) => id }

/** `phases`, `batches` */
export function several(word: string): string {
  return /(?:ch|s)$/.test(word) ? `${word}es` : `${word}s`
}
