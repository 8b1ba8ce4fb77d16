// A chain of tasks in the width there is.
import { displayWidth, fit } from '../text/width.ts'

/** `a → b → c`; where that is too long, `a → b → … → z`: where it begins and how it ends. */
export function chainText(tasks: readonly string[], columns: number): string {
  const whole = tasks.join(' → ')
  if (displayWidth(whole) <= columns) return whole
  const end = ` → … → ${tasks.at(-1) ?? ''}`
  let [text = ''] = tasks
  for (const task of tasks.slice(1, -1)) {
    const longer = `${text} → ${task}`
    if (displayWidth(longer + end) > columns) break
    text = longer
  }
  return fit(text + end, columns)
}
