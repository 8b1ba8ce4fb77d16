// ccpm calls task files by the numbers of their issues, once there are some: also while a run is at work on them.
import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalierHere } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

const task = (name: string, needs: string) =>
  `---\nname: ${name}\nstatus: open\ncreated: 2026-01-05\nupdated: 2026-01-05\ndepends_on: [${needs}]\nparallel: true\n---\n\nDo it.\n`

/** As ccpm does it: the new numbers everywhere in the text, under the new name. */
const SYNC = `#!/bin/sh
cd "$1"
for pair in 001:41 002:42 003:43; do
  sed 's/\\b001\\b/41/g; s/\\b002\\b/42/g; s/\\b003\\b/43/g; s/^updated:.*/updated: 2026-01-06/' "\${pair%:*}.md" >"\${pair#*:}.md"
  rm "\${pair%:*}.md"
done
`

test('a task file that is renamed during a run is followed, and what the run did is known by its new name', async () => {
  const files = {
    'e/001.md': task('Log in', ''),
    'e/002.md': task('Log out', '001'),
    'e/003.md': task('See 002', '002'),
  }
  await using repository = await makeRepository({ files })
  const [folder, sync] = [repository.at('repo', 'e'), repository.at('sync')]
  writeFileSync(sync, SYNC)
  chmodSync(sync, 0o755)
  // When it comes to the second, the first is closed; the third fails.
  const agent = `cat >/dev/null; case $ESPALIER_TASK in *2) '${sync}' '${folder}';; *3) exit 3;; esac; echo x >$ESPALIER_TASK.txt`
  const ended = await espalierHere(repository.top, ['run', 'e', '--retries', '0', '--command', agent])
  assert.equal(ended.status, 1, ended.err)
  assert.doesNotMatch(ended.out, /could not be written|not in .* any more|stays as it is/)
  assert.deepEqual(readdirSync(folder), ['41.md', '42.md', '43.md'])
  const status = (name: string) => /^status: (.*)$/m.exec(readFileSync(repository.at('repo', 'e', name), 'utf8'))?.[1]
  assert.deepEqual(['41.md', '42.md', '43.md'].map(status), ['closed', 'closed', 'open'])

  // And once more, after the run.
  for (const number of ['41', '42', '43']) {
    const [old, now] = [number, `5${number}`].map((name) => repository.at('repo', 'e', `${name}.md`)) as [
      string,
      string,
    ]
    writeFileSync(now, readFileSync(old, 'utf8').replace(/\b4\d\b/g, '5$&'))
    rmSync(old)
  }
  const next = await espalierHere(repository.top, ['run', 'e', '--dry-run', '--command', 'true'])
  assert.match(
    next.err,
    /`541` and `542` are done by the plan file, but their work is not in HEAD: it is on espalier\/e-1/,
  )
})
