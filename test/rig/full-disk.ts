// Disks that are full. For tests that run as anybody: SQLite's own limit for a database, and the kernel's for the files
// that git writes. For tests of whoever may mount one: a real disk, and a small one.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runGit } from './repository.ts'

/**
 * From now on no state database of this process grows any more; until it is disposed of. What fits into the pages it
 * has is still written, unless there is to be no room at all.
 */
export function fullDatabase({ noRoomAtAll = false } = {}): Disposable {
  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    if (sql === 'begin immediate') {
      // Less than its size now is not possible, so that is what it gets.
      exec.call(this, 'pragma max_page_count = 1')
      if (noRoomAtAll) exec.call(this, 'create table filler as select zeroblob(1 << 20)')
    }
    exec.call(this, sql)
  }
  return {
    [Symbol.dispose]() {
      DatabaseSync.prototype.exec = exec
    },
  }
}

/** A `git` before the real one in PATH, which has the trouble that the test gives it with some of its commands. */
export class GitTrouble implements Disposable {
  readonly #file: string
  readonly #path = process.env.PATH

  constructor(folder: string) {
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    this.#file = join(bin, 'trouble')
    const real = join(runGit(folder, ['--exec-path']), 'git')
    const script = `#!/bin/sh
{ read -r kind commands <'${this.#file}'; } 2>/dev/null
for command in $commands; do
  case "$kind: $* " in
    "full: "*" $command "*) trap '' XFSZ; ulimit -f 0 ;;
    "broken: "*" $command "*) echo 'fatal: something is wrong' >&2; exit 128 ;;
  esac
done
exec '${real}' "$@"
`
    writeFileSync(join(bin, 'git'), script, { mode: 0o755 })
    process.env.PATH = `${bin}:${this.#path}`
  }

  /** `full`: nothing it writes has room. `broken`: it says that something is wrong. */
  begin(kind: 'full' | 'broken', ...commands: string[]): void {
    writeFileSync(this.#file, `${kind} ${commands.join(' ')}\n`)
  }

  end(): void {
    rmSync(this.#file, { force: true })
  }

  [Symbol.dispose](): void {
    process.env.PATH = this.#path
  }
}

/** A disk of some MB in memory, mounted at a folder until it is disposed of. */
export class SmallDisk implements Disposable {
  readonly #path: string
  readonly #filler: string

  constructor(path: string, options = 'size=16m') {
    mkdirSync(path, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'pipe' })
    this.#path = path
    this.#filler = join(path, 'filler')
  }

  /** Only so much room is left. */
  fill(leftKb = 0): void {
    const { bavail, bsize } = statfsSync(this.#path)
    const file = openSync(this.#filler, 'a')
    const bytes = Math.max(0, bavail * bsize - (leftKb << 10))
    try {
      for (let written = 0; written < bytes; )
        written += writeSync(file, Buffer.alloc(Math.min(1 << 20, bytes - written)))
    } finally {
      closeSync(file) // where others took the last of it: an open file would keep its room
    }
  }

  /** There is room again. */
  free(): void {
    rmSync(this.#filler, { force: true })
  }

  writable(yes: boolean): void {
    execFileSync('mount', ['-o', `remount,${yes ? 'rw' : 'ro'}`, this.#path], { stdio: 'pipe' })
  }

  [Symbol.dispose](): void {
    // Lazily: what a failed test left running may still have files open there.
    execFileSync('umount', ['-l', this.#path], { stdio: 'pipe' })
  }
}

/** What tests that need one are skipped for, if they are. */
export const noSmallDisk = mountTrouble()

function mountTrouble(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-disk-'))
  try {
    new SmallDisk(folder)[Symbol.dispose]()
    return false
  } catch {
    return 'needs the right to mount a disk'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
