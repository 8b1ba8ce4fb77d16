// Secret values, which nothing that is kept or shown may hold: values of variables with secret names, and passwords in
// the addresses of databases and the like, whatever those are called. What agents print is a log that only its owner
// can read; a summary becomes a commit, a report, a prompt.
import { safeText } from '../text/safe.ts'

/** The longest first, so that a secret within another leaves nothing behind. */
export function secretValues(environment: Readonly<Record<string, string | undefined>>): string[] {
  const found = Object.entries(environment).flatMap(([name, value = '']) =>
    isSecretVariable(name, value) ? [value, ...secretsOfAddress(value)] : secretsOfAddress(value),
  )
  return [...new Set(found)].filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length)
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text)
}

/** A key in a text may be that of a table; a key in a variable opens something. */
function isSecretVariable(name: string, value: string): boolean {
  return isSecretName(name, '=', value) || (KEY.test(name) && !KEY_PLACE.test(name))
}

function secretsOfAddress(value: string): string[] {
  const [, login, password] = LOGIN.exec(value) ?? GO_LOGIN.exec(value) ?? []
  const [, token] = TOKEN.exec(value) ?? []
  const [, named] = NAMED.exec(value) ?? []
  return [...(login ? [login] : []), ...(token ? [token] : []), ...[password, named].flatMap(alone)]
}

/** As written there, and decoded. An ordinary word (`postgres`) would vanish from every text. */
function alone(password: string | undefined): string[] {
  if (!password || /^[a-z]+$/.test(password)) return []
  return [password, decoded(password)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // no escapes: a percent sign that stands for itself
  }
}

const KEY = /KEY(_|$)/i
const KEY_PLACE = /_(FILE|PATH|DIR)$/i
/** A shorter one would take ordinary words out of every text. */
const SHORTEST = 8
/** `postgres://me:hunter22@db/app` */
const LOGIN = /^[a-z][a-z0-9+.-]*:\/\/([^\s/@:]*:([^\s/]+))@/i
/** `me:hunter22@tcp(db:3306)/app` */
const GO_LOGIN = /^([^\s/@:]+:([^\s/]+))@[a-z]+\(/i
/** `https://token@host`; before the host of another scheme stands a user. */
const TOKEN = /^https?:\/\/([^\s/@:]+)@/i
/** `host=db password=hunter22`, `Server=db;Pwd=hunter22;`, `jdbc:…?user=me&password=hunter22` */
const NAMED = /(?:^|[?&;\s])(?:password|passwd|pwd)=["']?([^;&\s"']+)/i

// Whether the value of a name is a secret: `DB_PASS=…`, `PGPASSWORD=…` and `GITHUB_PAT=…` are; `max_tokens=…`, `author:
// …`, `BYPASS=…`, `PWD=/home` and `expected token: string` are not.

/** `sign`: an equals sign is a setting, such as a variable; a colon may be one or a sentence. */
export function isSecretName(name: string, sign: string, value: string): boolean {
  if (NOTHING.test(value)) return false
  const isSentence = sign === ':'
  // `src/auth.ts:12` is a place in a file.
  const told = isSentence ? name.slice(name.lastIndexOf('.') + 1) : name
  const words = told
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_.-]+/)
  if (PLACE.test(words.at(-1) ?? '') || isWorkingFolder(told, value)) return false
  if (words.some((word) => ALWAYS.test(word))) return true
  if (!words.some((word) => SOMETIMES.test(word) && !ORDINARY.test(word)) && !KEYS.test(words.join(''))) return false
  const isName = words.length > 1 || told === told.toUpperCase()
  return !isSentence || (isName && told !== 'PASS') || !/^[a-z]+[.,:!?]?$/i.test(value)
}

/** Every shell has `PWD=/home/me`; in the address of a database `PWD=…` is a password. */
function isWorkingFolder(name: string, value: string): boolean {
  return /^(OLD_?|INIT_?)?PWD$/.test(name) && /^["']?[/~.$]/.test(value)
}

const NOTHING = /^["']?(true|false|null|none|undefined|yes|no)["']?$/i
const ALWAYS = /passw(or)?d|passphrase|pwd$|secret(?!ar)/
const SOMETIMES = /token$|pass$|^(auth|authorization|credentials?|dsn|pat)$/
const ORDINARY = /(ask|by|com|over|sur|tres|under)pass$/
const KEYS = /(api|access|private|signing|encryption|account|ssh|auth)key/
/** The value may be secret; the name is not. A password in an address is found by its look. */
const PLACE = /^(file|path|dir|sock|socket|url|uri|host|domain)$/

/**
 * An agent's words as they are kept: no secrets, and nothing that steers a terminal or hides in a text. Secrets are
 * looked for before and after, because one may hold characters that are taken out, or have a colour in its middle.
 */
export function keptText(text: string, secrets: readonly string[]): string {
  return withoutSecrets(safeText(withoutSecrets(text, secrets)), secrets)
}
