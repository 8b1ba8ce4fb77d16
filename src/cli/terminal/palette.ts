// Colours by meaning. Without colour every function returns its text unchanged.
import { styleText } from 'node:util'

export type Palette = { good: Paint; bad: Paint; busy: Paint; dim: Paint; strong: Paint }
type Paint = (text: string) => string

/** surroundings.ts decides about colour, not the stream. */
export function palette(colour: boolean): Palette {
  const paint = (style: 'green' | 'red' | 'cyan' | 'dim' | 'bold'): Paint =>
    colour ? (text) => (text === '' ? '' : styleText(style, text, { validateStream: false })) : (text) => text
  return { good: paint('green'), bad: paint('red'), busy: paint('cyan'), dim: paint('dim'), strong: paint('bold') }
}
