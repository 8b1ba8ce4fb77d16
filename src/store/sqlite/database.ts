// One connection to the state database: prepared statements are kept, and a transaction is all or nothing.
import type { DatabaseSync, StatementSync } from 'node:sqlite'

export class Database implements Disposable {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  /** It is empty, and stands for one that another process is just making. */
  readonly isStandIn: boolean

  constructor(db: DatabaseSync, isStandIn = false) {
    this.#db = db
    this.isStandIn = isStandIn
  }

  sql(text: string): StatementSync {
    let statement = this.#statements.get(text)
    if (!statement) {
      statement = this.#db.prepare(text)
      this.#statements.set(text, statement)
    }
    return statement
  }

  exec(text: string): void {
    this.#db.exec(text)
  }

  transaction<T>(work: () => T): T {
    this.#db.exec('begin immediate')
    try {
      const result = work()
      this.#db.exec('commit')
      return result
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback')
      throw error
    }
  }

  pragma(name: string): number {
    return Number(this.sql(`pragma ${name}`).get()?.[name])
  }

  [Symbol.dispose](): void {
    this.#statements.clear()
    if (this.#db.isOpen) this.#db.close()
  }
}
