// A list of names in the width there is, which says how many it has left out.
import { displayWidth, fit } from './width.ts'

/** `a, b and 4 more`; at least the beginning of the first. `columns`: by default those that a message has for names. */
export function nameList(names: readonly string[], columns = 60): string {
  const whole = names.join(', ')
  if (displayWidth(whole) <= columns) return whole
  let [text = ''] = names
  for (let shown = 1; shown < names.length; shown++) {
    const longer = `${text}, ${names[shown]}`
    if (displayWidth(longer + more(names.length - shown - 1)) > columns)
      return fit(text + more(names.length - shown), columns)
    text = longer
  }
  return fit(text, columns)
}

function more(count: number): string {
  return ` and ${count} more`
}
