// Values that must not get into anything that is kept or shown: those of variables whose names say that they are secret.
// What agents print is a log that only its owner can read; a summary becomes a commit, a report, a prompt.

/** The longest first, so that one that is a part of another leaves nothing behind. */
export function secretValues(environment: Readonly<Record<string, string | undefined>>): string[] {
  const found = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && value.length >= SHORTEST && SECRET_NAME.test(name) ? [value] : [],
  )
  return [...new Set(found)].sort((a, b) => b.length - a.length)
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text)
}

const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(_|$)/i
/** A shorter one would take ordinary words out of every text. */
const SHORTEST = 8
