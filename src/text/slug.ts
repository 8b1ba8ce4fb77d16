// A name that may become part of a branch and a path, made of any file name.

const MAX_CHARS = 40

export function slug(text: string): string {
  const plain = plainName(text).slice(0, MAX_CHARS).replace(/-$/, '')
  return plain === '' ? 'plan' : plain
}

/** Lower-case letters, digits and `-`, which it does not begin with. It may end with one, and be empty. */
export function plainName(text: string): string {
  return text
    .slice(0, 1_000)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
}
