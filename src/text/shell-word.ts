/** A word for sh, in quotes only where it needs them. */
export function shellWord(text: string): string {
  return /^[\w./@:%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
