// An engine or a doctor in a process of its own that becomes another user first, where root runs the tests. All it
// needs is loaded before that: the other user may not be allowed to read it.
// Usage: node user-process.ts '{"deed":"run","uid":65534,"repo":…,"plan":…,"settings":…}'. `run` prints the events, one
// JSON line each; `doctor` prints what it found and ended.

import { diagnose } from '../../src/engine/doctor/doctor.ts'
import { openRun } from '../../src/engine/open/open-run.ts'
import type { Plan, Settings } from '../../src/index.ts'
import { workspaceAt } from './workspace-at.ts'

export type UserOrders = { uid: number | null; repo: string } & (
  | { deed: 'run'; plan: Plan; settings: Settings }
  | { deed: 'doctor'; fix: boolean }
)

const orders = JSON.parse(process.argv[2] ?? '') as UserOrders
const { uid, repo } = orders
if (uid !== null) {
  process.setgroups?.([])
  process.setgid?.(uid)
  process.setuid?.(uid)
}
if (orders.deed === 'doctor') print(await diagnose({ repo: repo, fix: orders.fix }))
else {
  const opened = await openRun(await workspaceAt(repo), { plan: orders.plan, settings: orders.settings })
  if (!opened.ok) throw new Error(JSON.stringify(opened))
  await using run = opened.value
  const result = run.execute()
  for await (const event of run.events()) print(event)
  await result
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
