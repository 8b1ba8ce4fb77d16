// Colours by what they mean. Without colour every function gives its text back as it is.
import { styleText } from 'node:util'

export type Palette = { good: Paint; bad: Paint; busy: Paint; dim: Paint; strong: Paint }
type Paint = (text: string) => string

/** Whether there is colour is for surroundings.ts to say, not for the stream. */
export function palette(colour: boolean): Palette {
  const paint = (style: 'green' | 'red' | 'cyan' | 'dim' | 'bold'): Paint =>
    colour ? (text) => (text === '' ? '' : styleText(style, text, { validateStream: false })) : (text) => text
  return { good: paint('green'), bad: paint('red'), busy: paint('cyan'), dim: paint('dim'), strong: paint('bold') }
}
