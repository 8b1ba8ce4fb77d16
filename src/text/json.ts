// Facts for other programs, as JSON. Dollars are added up exactly as agents reported them, which in binary fractions gives
// 0.30000000000000004: here, where they leave, and nowhere before, they are rounded to a millionth.

export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, roundDollars, indent)
}

/** Output of a command with `--json`: always an object, with the version of its format. */
export function jsonOutput(value: object, indent?: number): string {
  return jsonText({ version: JSON_VERSION, ...value }, indent)
}

/** Another one where a field is gone or means something else; fields are added without. */
export const JSON_VERSION = 1

/** Null: it is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Every amount of dollars has a name that ends in `Usd`. */
function roundDollars(name: string, value: unknown): unknown {
  return typeof value === 'number' && name.endsWith('Usd') ? Math.round(value * PER_DOLLAR) / PER_DOLLAR : value
}

const PER_DOLLAR = 1_000_000
