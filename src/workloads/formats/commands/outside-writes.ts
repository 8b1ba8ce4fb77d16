// Commands that write where no worktree is: to an absolute path, or into a database that others use, too.
import { operandsOf, programOf } from './operands.ts'

/** `words`: of a real command. `cp -r dist /var/www`, `echo x > /etc/hosts`, `find / -name x -delete`. */
export function writesOutside(words: readonly string[]): boolean {
  const name = programOf(words)
  if (words.some((word, at) => isOutside(redirectedTo(word, words[at + 1])))) return true
  if (name === 'tee') return operandsOf(words).some(isOutside)
  if (COPIES.has(name)) return isOutside(operandsOf(words).at(-1) ?? '')
  if (
    name !== 'find' ||
    !words.some((word, at) => word === '-delete' || (/^-exec/.test(word) && words[at + 1] === 'rm'))
  )
    return false
  const end = words.findIndex((word, at) => at > 0 && /^[-(!]/.test(word))
  return words.slice(1, end).some((path) => /^\.\.(?:\/|$)/.test(path) || isOutside(path))
}

/** The last they are given is where it goes. */
const COPIES = new Set(['cp', 'ln', 'install'])

/** Nothing, where it is no `>`. */
function redirectedTo(word: string, next = ''): string {
  const match = /^[0-9&]?>>?\|?(.*)$/.exec(word)
  return match ? match[1] || next : ''
}

/** What is put down for a while (`/tmp`) or thrown away (`/dev/null`) changes nothing. */
function isOutside(path: string): boolean {
  return /^(?:\/(?!tmp\/|dev\/)|~|\$\{?HOME\b)/.test(path)
}

/** `psql -c "drop table users"`; but not `psql -c "select 1"`. */
export function changesData(words: readonly string[]): boolean {
  const changes = DATABASES.get(programOf(words))
  return changes !== undefined && words.slice(1).some((word) => changes.test(word))
}

const SQL = /(?:^|[\s;=])(?:drop|delete|truncate|insert|update|alter|create|grant|revoke)\s/i
const MONGO = /\b(?:drop|delete|remove|insert|update|replace|create|rename)\w*\(/i

const DATABASES = new Map<string, RegExp>([
  ...['psql', 'mysql', 'mariadb', 'sqlcmd', 'cqlsh', 'clickhouse-client'].map((name): [string, RegExp] => [name, SQL]),
  ...['mongosh', 'mongo'].map((name): [string, RegExp] => [name, MONGO]),
  ['redis-cli', /^(?:flushall|flushdb|set|del|unlink|shutdown|rename)$/i],
])
