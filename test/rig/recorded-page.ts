// What was recorded into a page that a command wrote.
import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'

type Recorded = { kind: string; start: string; answers: Record<string, unknown> }

export function recordedIn(page: string): Recorded {
  const [, packed = ''] = /<script id="data" type="text\/plain">([A-Za-z0-9+/=]+)<\/script>/.exec(page) ?? []
  assert.notEqual(packed, '', 'it has data')
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')) as Recorded
}

/** The one answer whose path ends so. */
export function answerIn<T>(page: string, end: string): T {
  const { answers } = recordedIn(page)
  const paths = Object.keys(answers).filter((path) => path.split('?')[0]?.endsWith(end))
  assert.equal(paths.length, 1, `${end} in ${Object.keys(answers).join(', ')}`)
  return answers[paths[0] as string] as T
}
