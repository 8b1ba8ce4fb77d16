// File names are bytes to git. They travel through the program one character per byte, so that a name which is not
// UTF-8 comes back as it was; `readable` is for people and for the journal.

export function records(output: Buffer): string[] {
  const all = output.toString('latin1').split('\0')
  if (all.at(-1) === '') all.pop()
  return all
}

export function readable(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8')
}

export function fromText(path: string): string {
  return Buffer.from(path, 'utf8').toString('latin1')
}

export function bytes(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}

export function joined(paths: readonly string[]): Buffer {
  return bytes(paths.map((path) => `${path}\0`).join(''))
}

/** Input of commands that read line by line. */
export function inLines(items: Iterable<string>): string {
  return [...items].map((item) => `${item}\n`).join('')
}

/** Input of commands that read revisions: `want` with all they need that `have` do not need. */
export function revisions(want: readonly string[], have: readonly string[]): string {
  return inLines([...want, ...have.map((commit) => `^${commit}`)])
}
