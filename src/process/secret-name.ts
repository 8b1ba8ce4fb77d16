// Whether what is given a value by its name is a secret: `DB_PASS=…`, `PGPASSWORD=…` and `GITHUB_PAT=…` are; `max_tokens=…`,
// `author: …`, `BYPASS=…`, `PWD=/home` and `expected token: string` are not.

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
/** What is kept there may be secret; its name is not. A password in an address is found by how that looks. */
const PLACE = /^(file|path|dir|sock|socket|url|uri|host|domain)$/
