// The current claims with their holders, in a tree of folders by the literal segments that each claim begins with:
// a claim can only conflict with claims on the path to its own folder and with those below it.
import { type Claim, conflicts, plainPrefix } from './overlap.ts'

type Folder = { parent: Folder | null; name: string; children: Map<string, Folder>; held: Held[] }
type Held = { holder: number; claim: Claim }

export class ClaimTable {
  readonly #root = newFolder(null, '')
  readonly #places = new Map<number, Folder[]>()

  /** Finds the holder of a conflicting claim; null if there is none. `own`: a holder to ignore. */
  blocker(claim: Claim, own: number | null = null): number | null {
    if (this.#places.size === 0) return null
    for (const alternative of claim.alternatives) {
      let folder: Folder | undefined = this.#root
      for (const name of plainPrefix(alternative)) {
        const found = inWay(folder, claim, own)
        if (found !== null) return found
        folder = folder.children.get(name)
        if (!folder) break
      }
      const below = folder && anywhereBelow(folder, claim, own)
      if (below !== undefined && below !== null) return below
    }
    return null
  }

  hold(holder: number, claims: readonly Claim[]): void {
    const places = this.#places.get(holder) ?? []
    for (const claim of claims) {
      for (const alternative of claim.alternatives) {
        let folder = this.#root
        for (const name of plainPrefix(alternative)) folder = childOf(folder, name)
        folder.held.push({ holder, claim })
        places.push(folder)
      }
    }
    this.#places.set(holder, places)
  }

  release(holder: number): void {
    for (const place of this.#places.get(holder) ?? []) {
      place.held = place.held.filter((held) => held.holder !== holder)
      prune(place)
    }
    this.#places.delete(holder)
  }

  holds(holder: number): boolean {
    return this.#places.has(holder)
  }
}

function inWay(folder: Folder, claim: Claim, own: number | null): number | null {
  return folder.held.find(({ holder, claim: held }) => holder !== own && conflicts(claim, held))?.holder ?? null
}

function anywhereBelow(top: Folder, claim: Claim, own: number | null): number | null {
  const stack = [top]
  for (let folder = stack.pop(); folder; folder = stack.pop()) {
    const found = inWay(folder, claim, own)
    if (found !== null) return found
    for (const child of folder.children.values()) stack.push(child)
  }
  return null
}

function newFolder(parent: Folder | null, name: string): Folder {
  return { parent, name, children: new Map(), held: [] }
}

function childOf(folder: Folder, name: string): Folder {
  let child = folder.children.get(name)
  if (!child) {
    child = newFolder(folder, name)
    folder.children.set(name, child)
  }
  return child
}

function prune(folder: Folder): void {
  for (
    let current = folder;
    current.parent && current.held.length === 0 && current.children.size === 0;
    current = current.parent
  )
    current.parent.children.delete(current.name)
}
