// What a plan file does not say about the tasks of a run although it should, and why.

export type UnwrittenStatus = {
  /** They could not be written. `espalier resume` writes them once that is put right. */
  files: UnwrittenFile[]
  /** What people have made of tasks meanwhile: theirs stays. */
  conflicts: StatusConflict[]
}

export type UnwrittenFile = { file: string; why: string }

/** `task`: as the file calls it. */
export type StatusConflict = { file: string; task: string; message: string }

export function unwrittenText({ file, why }: UnwrittenFile): string {
  return `the status of tasks could not be written into ${file}: ${why}`
}

/** A line for each. */
export function unwrittenLines({ files, conflicts }: UnwrittenStatus): string[] {
  return [...files.map(unwrittenText), ...conflicts.map(({ message }) => message)]
}
