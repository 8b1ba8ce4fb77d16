// In the place of src/text/width.ts, whose columns are those of a terminal: here the browser sees to what fits.
export function displayWidth(text: string): number {
  return text.length
}

export function fit(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`
}
