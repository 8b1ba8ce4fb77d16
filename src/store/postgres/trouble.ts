// Explains errors of Postgres and of the network. Loads no code of Postgres, because every command loads this file.
import { DamagedRow, NewerJournal } from '../read-row.ts'

/** An error of the server or the network, with advice. Null: neither is at fault, so it is a bug. */
export function postgresTrouble(name: string, error: unknown): string | null {
  const why = reasonOf(error)
  if (error instanceof NewerJournal) return `${why}: use that version for it. It is in ${name}`
  if (error instanceof DamagedRow)
    return `${name} is damaged (${why}): restore it from a backup. What has landed is safe in git`
  if (isOutage(error))
    return `${name} cannot be reached (${why}): is the server running, and may this machine connect to it?`
  if (NO_PASSWORD.test(why))
    return `${name} asks for a password, and none was given: it may be part of the URL, or come from PGPASSWORD or ~/.pgpass`
  switch ((error as NodeJS.ErrnoException | null)?.code) {
    case 'ENOTFOUND':
      return `${name} cannot be reached (${why}): check the name of the host`
    case '28P01':
    case '28000':
      return `${name} refuses the login (${why}): check user and password. A password may also come from PGPASSWORD or ~/.pgpass`
    case '3D000':
      return `${name} is not there (${why}): create the database first`
    case '42501':
      return `${name} may not be written (${why}): let its owner run \`espalier store migrate\` and grant your user the rights`
    case '25006':
      return `${name} may not be written (${why}): name the primary server, not one that only follows it`
    case '53100':
      return `${name} could not be written (${why}): the disk of the server is full`
    default:
      return null
  }
}

/** Like `postgresTrouble`, with a message for any other error of the database. Null: the error is not from the database. */
export function postgresRefusal(name: string, error: unknown): string | null {
  const isOfPostgres = error instanceof Error && 'severity' in error
  return postgresTrouble(name, error) ?? (isOfPostgres ? `${name} cannot be used: ${error.message}` : null)
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** True if the server was unreachable, went away or did not answer: the request itself may be fine. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  const { code } = error as NodeJS.ErrnoException
  if (code !== undefined && (OUTAGES.has(code) || code.startsWith('08'))) return true
  return code === undefined && LOST.test(error.message)
}

const OUTAGES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'],
  // Codes of Postgres: shut down, crashed, starting up, no free connection; serialization failure, deadlock.
  ...['57P01', '57P02', '57P03', '53300', '40001', '40P01'],
])

/** Errors of `pg` itself have no code. */
const NO_PASSWORD = /client password must be a (non-empty )?string/
const LOST =
  /^(Connection terminated|timeout expired|timeout exceeded|Query read timeout|Client has encountered a connection error|Client was closed)/
