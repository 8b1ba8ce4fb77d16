/** Lines or words of a field, each once. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.split(/[\n,]/).map((word) => word.trim()))].filter(Boolean)
}
