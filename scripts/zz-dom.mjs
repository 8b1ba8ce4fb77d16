import { readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { importsOf } from './imports.ts'

const E = ['src/cli/main.ts', 'src/cli/program.ts', 'src/cli/inputs/repository.ts']
const entry = process.argv.slice(2).filter((a) => a.startsWith('src'))
const min = +(process.argv.find((a) => /^\d+$/.test(a)) ?? 12)
const g = new Map()
const visit = (f) => {
  if (g.has(f)) return
  const to = [
    ...new Set(
      importsOf(readFileSync(f, 'utf8'))
        .filter((i) => i.specifier.startsWith('.') && !i.dynamic && !i.typeOnly)
        .map((i) => posix.join(dirname(f), i.specifier)),
    ),
  ]
  g.set(f, to)
  to.forEach(visit)
}
const roots = [...E, ...entry]
roots.forEach(visit)
const all = g.size
// brute-force: size lost when node removed
const reach = (skip) => {
  const s = new Set()
  const w = [...roots]
  while (w.length) {
    const f = w.pop()
    if (f === skip || s.has(f)) continue
    s.add(f)
    w.push(...g.get(f))
  }
  return s.size
}
const rows = [...g.keys()]
  .filter((f) => !roots.includes(f))
  .map((f) => [all - reach(f), f])
  .filter(([n]) => n >= min)
  .sort((a, b) => b[0] - a[0])
console.log('all', all)
for (const [n, f] of rows) {
  const by = [...g].filter(([, t]) => t.includes(f)).map(([k]) => k.replace('src/', ''))
  console.log(n, f, '<-', by.slice(0, 4).join(' '), by.length > 4 ? `+${by.length - 4}` : '')
}
