/** The beginning of a text that may be of any length. */
export function cut(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars)}…` : text
}
