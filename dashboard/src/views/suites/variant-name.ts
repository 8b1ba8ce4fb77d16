/** `claude, sonnet`: the values of its axes. */
export function variantName(variant: Record<string, string>): string {
  return Object.values(variant).join(', ')
}
