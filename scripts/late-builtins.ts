// Stands in the bundle for parts of Node that take long to make, and makes them when they are first used: most commands never
// come to it. What a whole Node takes to start is some 30 ms.

/** For Intl.Segmenter, 9 ms: those who measure text make one when they are loaded, and ASCII needs none. */
export class LateSegmenter {
  readonly #options: [Intl.LocalesArgument?, Intl.SegmenterOptions?]
  #segmenter: Intl.Segmenter | null = null

  constructor(...options: [Intl.LocalesArgument?, Intl.SegmenterOptions?]) {
    this.#options = options
  }

  segment(text: string): Intl.Segments {
    this.#segmenter ??= new globalThis.Intl.Segmenter(...this.#options)
    return this.#segmenter.segment(text)
  }
}

// For node:crypto, 6 ms. A name that is missing here fails the build.
type Crypto = typeof import('node:crypto')
const crypto = (): Crypto => process.getBuiltinModule('node:crypto')

export const createHash: Crypto['createHash'] = (...args) => crypto().createHash(...args)
export const randomBytes = (size: number): Buffer => crypto().randomBytes(size)
export const randomInt = (max: number): number => crypto().randomInt(max)
export const timingSafeEqual: Crypto['timingSafeEqual'] = (...args) => crypto().timingSafeEqual(...args)
