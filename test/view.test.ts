// What is shown of a run has one description: its schemas. OpenAPI is made of them, and `espalier status` does not wait for them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openApiDocument } from '../src/server/http/openapi.ts'
import { runNow, taskView } from '../src/view.ts'

type Described = { properties?: Record<string, Described>; items?: Described }

function answerAt(path: string): Described {
  const { paths } = openApiDocument('0', 'http://localhost') as {
    paths: Record<string, { get: { responses: Record<string, { content: Record<string, { schema: Described }> }> } }>
  }
  const found = Object.entries(paths).find(([known]) => known.endsWith(path))
  assert.ok(found, path)
  return found[1].get.responses[200]?.content['application/json']?.schema ?? {}
}

test('OpenAPI has every field of a run, a task and an attempt', () => {
  const task = answerAt('/runs/{run}/tasks/{task}')
  const fieldsOf = ({ properties = {} }: Described) => Object.keys(properties).sort()
  assert.deepEqual(fieldsOf(answerAt('/runs/{run}')), Object.keys(runNow.shape).sort())
  assert.deepEqual(fieldsOf(task), Object.keys(taskView.shape).sort())
  assert.deepEqual(
    fieldsOf(task.properties?.history?.items ?? {}),
    Object.keys(taskView.shape.history.element.shape).sort(),
  )
})

test('the command `status` loads no schemas', async () => {
  const command = new URL('../src/cli/commands/status.ts', import.meta.url)
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
    await import(${JSON.stringify(command.href)})
    console.log(JSON.stringify(loaded))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    maxBuffer: 1e8,
  })
  const loaded = JSON.parse(stdout) as string[]
  assert.ok(loaded.some((url) => url.endsWith('/src/status.ts')))
  assert.deepEqual(
    loaded.filter((url) => url.includes('/zod/')),
    [],
  )
})
