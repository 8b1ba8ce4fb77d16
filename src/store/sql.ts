// SQL with its values, written once for every database: each database has its own placeholders for values.

export class Query {
  readonly #texts: readonly string[]
  readonly values: readonly unknown[]

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.#texts = texts
    this.values = values
  }

  /** The text with the same placeholder for each value. */
  markedBy(mark: string): string {
    return this.#texts.join(mark)
  }

  /** `place`: makes the placeholder of a value from its number, from 1 on. */
  text(place: (number: number) => string): string {
    return this.#texts.reduce((text, part, number) => text + place(number) + part)
  }

  static of(given: TemplateStringsArray, values: readonly unknown[]): Query {
    if (!values.some((value) => value instanceof Query)) return new Query(given, values)
    const texts = [given[0] as string]
    const all: unknown[] = []
    values.forEach((value, index) => {
      const after = given[index + 1] as string
      if (value instanceof Query) {
        const [first, ...rest] = value.#texts
        texts.push(texts.pop() + (first as string), ...rest)
        texts.push(texts.pop() + after)
        all.push(...value.values)
      } else {
        texts.push(after)
        all.push(value)
      }
    })
    return new Query(texts, all)
  }
}

/** Makes a query. A query among the values becomes part of the text. */
export function sql(texts: TemplateStringsArray, ...values: unknown[]): Query {
  return Query.of(texts, values)
}

/** Text without values. Never use it with text from outside. */
export function raw(text: string): Query {
  return new Query([text], [])
}
