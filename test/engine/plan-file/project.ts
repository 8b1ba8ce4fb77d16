// A repository with a plan file, as a person works with it: types commands, edits the file, and reads what is said.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { espalierHere } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

/** The subtasks of `a.x b`: `a` is done, `b` is not. They follow each other unless they are `parallel_safe`. */
export function planText(tasks: string, parallel_safe = false): string {
  const subtasks = tasks.split(' ').map((name) => {
    const [id = '', done] = name.split('.')
    return { id, description: `Do ${id}`, status: done ? 'completed' : 'pending' }
  })
  return `${JSON.stringify({ feature: 'plan', phases: [{ phase: 1, parallel_safe, subtasks }] }, null, 2)}\n`
}

export type Project = Awaited<ReturnType<typeof openProject>>

export async function openProject(text: string, name = 'plan.json') {
  const repository = await makeRepository({ files: { [name]: text } })
  const [file, bad] = [repository.at('repo', name), repository.at('failing')]
  const read = () => readFileSync(file, 'utf8')
  const write = (now: string) => writeFileSync(file, now)
  const edit = (from: string | RegExp, to: string) => write(read().replace(from, to))
  /** What a command says that ends with this status; `said`: what has to be part of it. */
  const type = async (expected: number, words: string | string[], ...said: (string | RegExp)[]) => {
    const { status, out, err } = await espalierHere(repository.top, Array.isArray(words) ? words : words.split(' '))
    const all = out + err
    assert.equal(status, expected, all)
    for (const part of said) assert.ok(part instanceof RegExp ? part.test(all) : all.includes(part), `${part}\n${all}`)
    return all
  }
  /** Each task writes its name; those in `failing` fail. */
  const run = (failing: string, expected: number, words: string, ...said: (string | RegExp)[]) => {
    writeFileSync(bad, failing.replaceAll(' ', '\n'))
    const agent = `cat >/dev/null; grep -qx "$ESPALIER_TASK" '${bad}' && exit 3; echo done >"$ESPALIER_TASK.txt"`
    return type(expected, [...words.split(' '), '--retries', '0', '--command', agent], ...said)
  }
  /** A run of these tasks to its end. */
  const does = (tasks: string, more = '') => {
    write(planText(tasks))
    return run('', 0, `run ${name} ${more}`.trim())
  }
  /** What a person is warned of before a run. */
  const warned = async (more = '') => {
    const all = await type(0, `run ${name} --dry-run --command true ${more}`.trim())
    return all.split('\n').flatMap((line) => line.split(`${file}: warning: `)[1] ?? [])
  }
  /** `plan-1: a b`: by run, what is done of these tasks and not in the base. */
  const lacks = async (tasks: string, more = '') => {
    write(planText(tasks))
    const told = (await warned(more)).join('\n').replace(/[`,]/g, '')
    const found = told.matchAll(/^(.*) (?:is|are) done .* espalier\/(\S+) which/gm)
    return Array.from(found, ([, done, by]) => `${by}: ${done}`)
  }
  /** `a completed b pending` */
  const statuses = () => {
    const found = read().matchAll(/"id": ?"?([^",]+)"?|"status": ?"([^"]+)"/g)
    return Array.from(found, ([, id, status]) => id ?? status).join(' ')
  }
  return {
    ...{ repository, file, read, write, edit, type, run, does, warned, lacks, statuses },
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  }
}
