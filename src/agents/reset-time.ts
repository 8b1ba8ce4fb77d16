// Until when a provider lets nobody work, where its error says so in words:
//   try again at 1:53 PM                          the machine's own time, as programs print it
//   Try again at Nov 18th, 2026 1:53 PM
//   try again in 3 days 2 hours 5 minutes         also `1.5s`, `6m0s`, `20ms`
//   Your quota will reset after 18h31m10s.

export function resetTime(message: string, now: number): number | null {
  const words = message.slice(0, READ_CHARS)
  const until = afterWhile(words, now) ?? atDate(words) ?? atClock(words, now)
  return until === null || until <= now ? null : Math.min(until, now + MAX_WAIT_MS)
}

function afterWhile(words: string, now: number): number | null {
  const [, said] = WHILE.exec(words) ?? []
  if (said === undefined) return null
  const parts = [...said.matchAll(PART)]
  return now + parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit.toLowerCase()] ?? 0), 0)
}

function atDate(words: string): number | null {
  const [, month = '', day, year, hour, minute, half = ''] = DATE.exec(words) ?? []
  const index = MONTHS.indexOf(month.slice(0, 3).toLowerCase())
  if (hour === undefined || index < 0) return null
  return new Date(Number(year), index, Number(day), hourOf(hour, half), Number(minute)).getTime()
}

/** The next time the clock shows it. One that has just passed is over: the minute was cut off, or it is read late. */
function atClock(words: string, now: number): number | null {
  const [, hour, minute = '0', half = ''] = CLOCK.exec(words) ?? []
  if (hour === undefined) return null
  const at = new Date(now)
  at.setHours(hourOf(hour, half), Number(minute), 0, 0)
  if (at.getTime() < now - JUST_PASSED_MS) at.setDate(at.getDate() + 1)
  return at.getTime()
}

/** `half`: AM or PM; without it a day has 24 hours. */
function hourOf(hour: string, half: string): number {
  if (half === '') return Number(hour)
  return (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
}

const WHILE = /(?:(?:try again|retry|resets?) (?:in|after)) ((?:\d+(?:\.\d+)? ?[a-z]+[ ,]*(?:and )?)+)/i
const PART = /(\d+(?:\.\d+)?) ?(ms|[dhms]|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?)(?![a-z])/gi
const DATE = /try again at ([a-z]{3,9}) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? (?:at )?(\d{1,2}):(\d\d) ?([ap]m)?/i
const CLOCK = /try again at (\d{1,2}):(\d\d) ?([ap]m)?/i

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]
const DAY = 24 * HOUR
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  ...{ s: SECOND, sec: SECOND, secs: SECOND, second: SECOND, seconds: SECOND },
  ...{ m: MINUTE, min: MINUTE, mins: MINUTE, minute: MINUTE, minutes: MINUTE },
  ...{ h: HOUR, hr: HOUR, hrs: HOUR, hour: HOUR, hours: HOUR },
  ...{ d: DAY, day: DAY, days: DAY },
}
/** The longest limits of a subscription are those of a week. */
const MAX_WAIT_MS = 8 * DAY
const JUST_PASSED_MS = HOUR
const READ_CHARS = 2_000
