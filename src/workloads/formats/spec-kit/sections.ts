// Sections of a `tasks.md` without a task: notes, the strategy, an example. No prompt holds what they say, and whoever
// wrote it is told so.

/** `spans`: from one line to another, without those that were made something of. */
export type UnusedSection = { title: string; spans: { from: number; to: number }[] }

type Section = UnusedSection & {
  level: number
  parent: Section | null
  hasTasks: boolean
  isAboutOrder: boolean
  /** The next line does not belong to the last span. */
  isBroken: boolean
}

export class Sections {
  readonly #all: Section[] = []
  #last: Section | null = null

  begin(level: number, title: string): void {
    let parent = this.#last
    while (parent && parent.level >= level) parent = parent.parent
    // The title of the file may be about updating dependencies.
    const isAboutOrder = parent?.isAboutOrder || (level > 1 && ABOUT_ORDER.test(title))
    this.#last = { level, title, parent, hasTasks: false, isAboutOrder, spans: [], isBroken: true }
    this.#all.push(this.#last)
  }

  /** It has a task, and so have all it is a part of. */
  addTask(): void {
    for (let section = this.#last; section && !section.hasTasks; section = section.parent) section.hasTasks = true
  }

  addText(line: number): void {
    const section = this.#last
    if (!section) return
    const span = section.spans.at(-1)
    if (span && !section.isBroken) span.to = line
    else section.spans.push({ from: line, to: line })
    section.isBroken = false
  }

  /** A line that is not left out. */
  addUsed(): void {
    if (this.#last) this.#last.isBroken = true
  }

  /** Whether the lines that follow may say which task waits for which. */
  get isAboutOrder(): boolean {
    return this.#last?.isAboutOrder ?? false
  }

  /** Whether those lines speak of what has no order. */
  get isAboutParallel(): boolean {
    return /\bparallel/i.test(this.#last?.title ?? '')
  }

  /** Each as part of the largest that has no task. */
  unused(): UnusedSection[] {
    const found = new Map<Section, UnusedSection>()
    for (const section of this.#all) {
      if (section.hasTasks || section.spans.length === 0) continue
      let whole = section
      while (whole.parent && !whole.parent.hasTasks) whole = whole.parent
      const known = found.get(whole) ?? { title: whole.title, spans: [] }
      for (const span of section.spans) known.spans.push(span)
      found.set(whole, known)
    }
    return [...found.values()]
  }
}

/** `## Dependencies`, `## Dependencies & Execution Order` */
const ABOUT_ORDER = /\bdependenc(?:y|ies)\b|\bexecution order\b/i
