// Lists of names that say how many they have left out.
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

/** At most `count` of them: `a, b and 4 more`. */
export function firstNames(names: readonly string[], count: number): string {
  const left = names.length - count
  return left > 0 ? names.slice(0, count).join(', ') + more(left) : names.join(', ')
}

function more(count: number): string {
  return ` and ${count} more`
}
