// Colours by what they mean. Without colour every function gives its text back as it is.

export type Palette = { good: Paint; bad: Paint; busy: Paint; dim: Paint; strong: Paint }
type Paint = (text: string) => string

export function palette(colour: boolean): Palette {
  const paint = (on: number, off: number): Paint =>
    colour ? (text) => (text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`) : (text) => text
  return { good: paint(32, 39), bad: paint(31, 39), busy: paint(36, 39), dim: paint(2, 22), strong: paint(1, 22) }
}
