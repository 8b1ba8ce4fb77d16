// Tries to get a lock whenever it is told to. In: `take` or `release`. Out: `ready`, then one JSON answer a request.
// Usage: node lock-contender.ts PATH
import { createInterface } from 'node:readline'
import { acquireLock } from '../../src/process/lock.ts'

const path = process.argv[2] ?? ''
let lock: AsyncDisposable | null = null
process.stdout.write('"ready"\n')
for await (const request of createInterface({ input: process.stdin })) {
  if (request === 'take') {
    const result = await acquireLock(path, 'a test')
    if (result.ok) lock = result.lock
    process.stdout.write(`${JSON.stringify(result.ok ? { ok: true } : result)}\n`)
  } else {
    await lock?.[Symbol.asyncDispose]()
    lock = null
    process.stdout.write('"released"\n')
  }
}
