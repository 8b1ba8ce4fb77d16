// Stands for Intl.Segmenter in the bundle, and makes one when it is first used. That takes 9 ms, a third of what a whole
// Node takes to start; those who measure text make theirs when they are loaded, and ASCII needs none.
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
