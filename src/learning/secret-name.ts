// Whether what is given a value by its name is a secret: `DB_PASS=…` is, `max_tokens=…`, `author: …` and
// `expected token: string` are not.

/** `sign`: an equals sign is a setting; a colon may be one or a sentence. */
export function isSecretName(name: string, sign: string, value: string): boolean {
  if (NOTHING.test(value)) return false
  const isSentence = sign === ':'
  // `src/auth.ts:12` is a place in a file.
  const told = isSentence ? name.slice(name.lastIndexOf('.') + 1) : name
  const words = told
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_.-]+/)
  const joined = words.join('')
  if (ALWAYS.test(joined)) return true
  if (!words.some((word) => SOMETIMES.test(word)) && !KEYS.test(joined)) return false
  const isName = words.length > 1 || told === told.toUpperCase()
  return !isSentence || (isName && told !== 'PASS') || !/^[a-z]+[.,:!?]?$/i.test(value)
}

const NOTHING = /^["']?(true|false|null|none|undefined|yes|no)["']?$/i
const ALWAYS = /passw(or)?d|passphrase|pwd|secret(?!ar)/
const SOMETIMES = /token$|^(pass|auth|authorization|credentials?)$/
const KEYS = /(api|access|private|signing|encryption|account|ssh|auth)key/
