// Removes text that looks like a secret: rather too much than too little. Every repetition has a bound.
import { isSecretName } from '../process/secrets.ts'

/** `known`: values that are secret whatever they look like, such as those in an agent's environment. */
export function redact(text: string, known: readonly string[] = []): string {
  let clean = text
  for (const value of known) if (value.length >= SHORTEST_KNOWN) clean = clean.replaceAll(value, HIDDEN)
  for (const { pattern, by } of PATTERNS) clean = clean.replace(pattern, by)
  return withoutAssigned(clean).replace(WORD, (word) => (looksRandom(word) ? HIDDEN : word))
}

export const HIDDEN = '[secret]'

/** Value of one word or in quotes. Hidden values stay as they are: texts pass here more than once. */
const VALUE = String.raw`(?!\[secret\](?![^\s,;)}\]"'\x60]))(?:"[^"\n]{0,2000}"|'[^'\n]{0,2000}'|(?:\[secret\]|[^\s,;)}\]"'\x60]){1,2000})`

const SECRET_FLAG = 'password|passwd|passphrase|pass|pwd|token|secret|credentials?|(?:api|access|secret|private)-?key'

const PATTERNS: { pattern: RegExp; by: string }[] = [
  {
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[\s\S]{0,20000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)|[\s\S]{0,20000})/g,
    by: HIDDEN,
  },
  // user:password@host, and a token alone where it is no user of git: ssh://git@host stays.
  { pattern: /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@:]{0,200}:[^\s/]{1,500}@/gi, by: `$1${HIDDEN}@` },
  { pattern: /(\bhttps?:\/\/)[^\s/@:]{1,500}@/gi, by: `$1${HIDDEN}@` },
  // Keys of providers, code hosts, clouds, chats and payments, by their prefixes.
  {
    pattern:
      /\b(sk|pk|rk)[-_][\w-]{12,2000}|\b(ghp|gho|ghu|ghs|ghr|glpat|xox[abprs]|npm|hf|dop_v1|shpat|pypi)[-_][\w-]{10,2000}|\bgithub_pat_\w{20,2000}|\b(AKIA|ASIA)[A-Z0-9]{12,200}|\bAIza[\w-]{20,200}|\bya29\.[\w-]{1,2000}|\bSG\.[\w-]{8,200}\.[\w-]{8,200}|\beyJ[\w-]{8,2000}\.[\w-]{8,2000}(\.[\w-]{1,2000})?/g,
    by: HIDDEN,
  },
  // An ordinary word may follow: `token generation`.
  {
    pattern: /\b([Bb]earer|BEARER|[Bb]asic|[Tt]oken)\s{1,4}(?=[\w.~+/-]{0,200}[\dA-Z_~+/=])[\w.~+/=-]{8,2000}/g,
    by: `$1 ${HIDDEN}`,
  },
  // --password …, curl -u name:…, mysql -p…, x-api-key …
  {
    pattern: new RegExp(`(--?(?:[a-z]{1,20}-){0,3}(?:${SECRET_FLAG})(?:=|[ \\t]{1,4}))(?![-<$])${VALUE}`, 'gi'),
    by: `$1${HIDDEN}`,
  },
  {
    pattern: new RegExp(
      `((?:^|\\s)(?:-u|--user)(?:=|[ \\t]{0,4})["']?(?!\\d{1,9}:\\d{1,9}\\b)[^\\s:/@"']{1,100}:)${VALUE}`,
      'g',
    ),
    by: `$1${HIDDEN}`,
  },
  {
    pattern: new RegExp(`(\\b(?:mysql|mariadb)[\\w-]{0,12}\\b[^\\n|;&]{0,200}?\\s-p)${VALUE}`, 'g'),
    by: `$1${HIDDEN}`,
  },
  { pattern: new RegExp(`(\\bsshpass\\s{1,4}-p\\s{0,4})${VALUE}`, 'g'), by: `$1${HIDDEN}` },
  { pattern: new RegExp(`(\\bx-[a-z-]{0,20}(?:key|token|secret)[ \\t]{1,4})${VALUE}`, 'gi'), by: `$1${HIDDEN}` },
  // A bare hex number may be the name of a commit; after such a word it is a key.
  {
    pattern:
      /(\b\w{0,40}(?:key|secret|token|password|passphrase|credentials?)\b\W{0,4}(?:[a-z]{1,10}\W{1,4}){0,2})[0-9a-f]{32,200}\b/gi,
    by: `$1${HIDDEN}`,
  },
]

/** password = …, "api_key": "…", SECRET_TOKEN=… */
function withoutAssigned(text: string): string {
  let clean = ''
  let from = 0
  for (const match of text.matchAll(ASSIGNED)) {
    const [start, name = '', sign = '', value = ''] = match
    if (match.index < from || !isSecretName(name, sign, value)) continue
    const end = match.index + start.length
    clean += `${text.slice(from, end)}${HIDDEN}`
    from = end + value.length
  }
  return clean + text.slice(from)
}

/** The value is only looked ahead at, so that a value with an ordinary name is searched for secrets, too. */
const ASSIGNED = new RegExp(
  `["']?(?=[\\w.-]{0,60}(?:pass|pwd|secret|token|key|credential|auth|dsn|pat))([\\w.-]{1,60})["']?[ \\t]{0,4}(:?=(?![=>~])|:(?!:))[ \\t]{0,4}(?=(${VALUE}))`,
  'gi',
)

const WORD = /[A-Za-z0-9+/_=-]{24,2000}/g
const SHORTEST_KNOWN = 6

/** True for long words of mixed characters that contain no words or paths, as only programs write them. Commit names are kept. */
function looksRandom(word: string): boolean {
  if (/^[0-9a-f]{40}$|^[0-9a-f]{64}$/.test(word)) return false
  if (!/\d/.test(word) || !/[A-Za-z]/.test(word)) return false
  const isOfWords = word.split(/[/_-]/).every((part) => part.length < 20 && !/\d.*[A-Za-z].*\d/.test(part))
  return isOfWords ? scraps(word) >= RANDOM_SCRAPS : entropy(word) > RANDOM_BITS
}

/** Number of pieces of one or two letters between changes of case: `wJalrX` has two, `MyPage` none. */
function scraps(word: string): number {
  return word
    .split(/[/_=+-]/)
    .map((part) => part.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|\d/).filter((piece) => piece !== ''))
    .reduce((sum, pieces) => sum + (pieces.length < 2 ? 0 : pieces.filter(({ length }) => length <= 2).length), 0)
}

function entropy(word: string): number {
  const counts = new Map<string, number>()
  for (const character of word) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / word.length) * Math.log2(count / word.length)
  return bits
}

const RANDOM_BITS = 3.3
const RANDOM_SCRAPS = 4
