/** A word for the shell, in quotes only where it needs them. */
export function quoted(value: string): string {
  return /^[\w./@:+-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}
