// A page of a list that is known as a whole: what comes after the item with that name.

export function pageOf<T>(
  all: readonly T[],
  nameOf: (item: T) => string,
  { after, limit }: { after?: string | undefined; limit: number },
): { items: T[]; next: string | null } {
  const from = after === undefined ? 0 : all.findIndex((item) => nameOf(item) === after) + 1
  // One that is gone meanwhile: the list begins anew, rather than to end.
  const items = all.slice(from, from + limit)
  const last = items.at(-1)
  return { items, next: last !== undefined && from + limit < all.length ? nameOf(last) : null }
}
