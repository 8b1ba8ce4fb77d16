// Carries a whole store from one database to another, and looks whether it arrived.
import { createHash, type Hash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { ok, type Result, refuse } from '../problem.ts'
import { lockHolder } from '../process/lock.ts'
import { type Counter, carryOut, type Database, insert, type Row, type Run, type Words } from './database.ts'
import { messageIn } from './feed.ts'
import { isPostgresUrl, openDatabase, storeName, unlessStoreTrouble } from './open.ts'
import { type Query, raw, sql } from './sql.ts'
import { storeInode } from './store-file.ts'

type CopiedStore = { runs: number; rows: number }

/** The other one has to be empty. Refused while an engine works with either, and where the two differ afterwards. */
export async function copyStore(from: string, to: string): Promise<Result<CopiedStore>> {
  if (from === to) return refuse(`${storeName(from)} cannot be copied to itself`)
  if (storeInode(from) === 0) return refuse(`there is no store at ${storeName(from)}`)
  const source = await openDatabase(from, 'read')
  if (!source.ok) return source
  await using old = source.value
  const target = await openDatabase(to, 'write')
  if (!target.ok) return target
  await using fresh = target.value
  const work = async (): Promise<Result<CopiedStore>> => {
    for (const [url, db] of [[from, old] as const, [to, fresh] as const]) {
      const busy = await atWork(url, db)
      if (busy !== null) return refuse(busy)
    }
    const sent = await old.session('read', (read) =>
      fresh.session('write', (write) => copyRows(old, read, fresh, write)),
    )
    if (sent === null) return refuse(`${storeName(to)} is not empty: name another one`)
    const arrived: Digests = new Map()
    await fresh.session('read', async (read) => {
      for await (const page of pagesOf(fresh, read)) add(arrived, page)
    })
    const differs = [...sent].find(([table, { hash }]) => hash.digest('hex') !== arrived.get(table)?.hash.digest('hex'))
    if (differs)
      return refuse(`${storeName(to)} differs from ${storeName(from)} in ${differs[0]}: do not use it, and tell us`)
    return ok({ runs: sent.get('run')?.rows ?? 0, rows: [...sent.values()].reduce((sum, { rows }) => sum + rows, 0) })
  }
  return await unlessStoreTrouble(from, () => unlessStoreTrouble(to, work))
}

async function atWork(url: string, db: Database): Promise<string | null> {
  const holder = isPostgresUrl(url) ? await db.leading() : lockHolder(join(dirname(url), 'engine.lock'))
  return holder && `an espalier (process ${holder.pid}) works with ${storeName(url)}: copy it when that one is done`
}

/** Null: there is something in the other one already. */
async function copyRows(old: Database, read: Run, fresh: Database, write: Run): Promise<Digests | null> {
  for await (const { rows } of pagesOf(fresh, write)) if (rows.length > 0) return null
  const digests = new Map<string, Digest>()
  for await (const page of pagesOf(old, read)) {
    add(digests, page)
    if (page.table !== 'counter') await write(insert(page.table, page.rows))
    else for (const { name, last } of page.rows) await carryOut(fresh.setCounter(name as Counter, Number(last)), write)
  }
  for (const { run, seq } of await write(sql`select run, max(seq) as seq from event group by run`))
    await write(sql`update run set name = name${fresh.words.keepNewestSeq(Number(seq))} where id = ${run}`)
  return digests
}

type Page = { table: string; rows: Row[] }

/** Of each table, and of the counters: the same rows in the same order whatever database they are in. */
async function* pagesOf({ words }: Database, run: Run): AsyncGenerator<Page> {
  for (const [table, order] of Object.entries(tables(words)))
    for (let offset = 0; ; offset += PAGE_ROWS) {
      const rows = await run(sql`select * from ${raw(table)} order by ${order} limit ${PAGE_ROWS} offset ${offset}`)
      yield { table, rows: rows.map((row) => plain(table, row)) }
      if (rows.length < PAGE_ROWS) break
    }
  yield { table: 'counter', rows: await run(sql`select * from (${words.counters}) as c where last > 0 order by name`) }
}

/** With an order of their rows. Tables that others refer to come first. */
function tables({ order, byBytes }: Words): Record<string, Query> {
  const number = (name: string) => raw(name)
  const text = (...names: string[]) =>
    names.map((name) => sql`${raw(name)} ${byBytes}`).reduce((a, b) => sql`${a}, ${b}`)
  return {
    ...{ run: order, event: number('cursor'), progress: number('cursor'), task: text('run', 'id'), plan_task: order },
    ...{ request: number('id'), note: text('run', 'name'), passed: text('tree', 'commands'), lesson: text('id') },
    ...{ experience: number('id'), learned: text('run'), suite_entry: order, test_file: text('file', 'machine') },
    ...{ hold: number('id') },
  }
}

const PAGE_ROWS = 1_000

/** Without the columns that only Postgres has, and as today's versions write it. */
function plain(table: string, { number: _, last_seq: __, ...row }: Row): Row {
  if (table === 'progress') return { ...row, message: JSON.stringify(messageIn(String(row.message))) }
  return table === 'suite_entry' ? { ...row, passed: Boolean(row.passed) } : row
}

type Digest = { rows: number; hash: Hash }
type Digests = Map<string, Digest>

function add(digests: Digests, { table, rows }: Page): void {
  const digest = digests.get(table) ?? { rows: 0, hash: createHash('sha256') }
  digest.rows += rows.length
  for (const row of rows) digest.hash.update(`${JSON.stringify(row)}\n`)
  digests.set(table, digest)
}
