// What a candidate may try to be measured as better than it is. Each of them is judged as what it is, or refused.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { FILES, SearchRig, SMALLEST } from '../../rig/search.ts'

const ONE_DEPTH = SMALLEST.replace('depth: 2', 'depth: 1\nmaxParallel: 3')

test('files of the evaluator, files the score is read from, and what was left behind reach nobody', async () => {
  const text = `${ONE_DEPTH.replace('sh score.sh, goal: max', 'sh score.sh, goal: max, file: out.json, key: value')}setup: [mkdir -p node_modules, "echo 1 > node_modules/factor"]\n`
  const files = {
    ...FILES,
    'score.sh':
      'factor=$(cat node_modules/factor); value=$(cat cache/value 2>/dev/null || cat value.txt); printf \'{"value": %s}\' "$(( value * factor ))" > out.json\n',
    'lib/scale.sh': 'echo 1\n',
  }
  await using rig = await SearchRig.open(
    {
      honest: 'echo 20 > value.txt\n',
      'edits-scorer': 'echo 12 > value.txt; echo \'echo "{\\"value\\": 999}" > out.json\' > score.sh\n',
      'links-scorer': 'echo 13 > value.txt; rm score.sh; echo "echo 999" > evil.sh; ln -s evil.sh score.sh\n',
      'removes-gate': 'echo 14 > value.txt; rm test.sh; mkdir test.sh; echo "exit 0" > test.sh/x\n',
      'writes-score': 'echo 15 > value.txt; echo \'{"value": 999}\' > out.json\n',
      'spoils-setup': 'echo 16 > value.txt; echo 99 > node_modules/factor; git add -f node_modules/factor\n',
      'commits-setup':
        'echo 18 > value.txt; echo 99 > node_modules/factor; git add -f value.txt node_modules/factor; git commit -qm all\n',
      'links-setup':
        'echo 19 > value.txt; mkdir evil; echo 99 > evil/factor; rm -r node_modules; ln -s evil node_modules; git add -f value.txt evil node_modules; git commit -qm all\n',
      'leaves-ignored': 'echo 17 > value.txt; mkdir -p cache; echo 999 > cache/value\n',
    },
    text,
    files,
  )
  const { of, manifest } = await rig.run()
  const scores = manifest.evals.map(({ idea_path, score }) => [idea_path?.slice(6, -3), score])
  assert.deepEqual(Object.fromEntries(scores), {
    honest: 20,
    'edits-scorer': 12,
    'links-scorer': 13,
    'removes-gate': 14,
    'writes-score': 15,
    'spoils-setup': 16,
    'commits-setup': 18,
    'links-setup': 19,
    'leaves-ignored': 17,
  })
  assert.deepEqual(of('edits-scorer').changed_protected, ['score.sh'])
  assert.deepEqual(of('links-scorer').changed_protected, ['score.sh'])
  assert.deepEqual(of('removes-gate').changed_protected, ['test.sh', 'test.sh/x'])
  assert.deepEqual(of('commits-setup').changed_protected, ['node_modules/factor'])
  assert.deepEqual(of('honest').changed_protected, [])
  const commit = of('edits-scorer').commit ?? ''
  const engine = join(rig.repository.path, 'repo.espalier/engine.git')
  assert.equal(
    rig.repository.git(`--git-dir=${engine}`, 'show', `${commit}:score.sh`),
    files['score.sh'].trimEnd(),
    'nobody builds on it',
  )
})

test('what setup made is made again for the judge, also in the worktree that the step had', async () => {
  const text = `${ONE_DEPTH.replace('maxParallel: 3', 'maxParallel: 1')}setup: [mkdir -p made, "echo 1 > made/factor"]\n`
  const files = {
    ...FILES,
    '.gitignore': 'made/\n',
    'score.sh': 'echo $(( $(cat value.txt) * $(cat made/factor) ))\n',
  }
  const ideas = { spoils: 'echo 16 > value.txt; echo 99 > made/factor\n' }
  await using rig = await SearchRig.open(ideas, text, files)
  const { of } = await rig.run()
  assert.equal(of('spoils').score, 16)
})

test('a file with the score that the command has not written itself is no score', async () => {
  const files = {
    ...FILES,
    'run.sh': 'cat value.txt\n',
    'score.sh': 'value=$(sh run.sh) && printf \'{"value": %s}\' "$value" > out.json; true\n',
  }
  const text = ONE_DEPTH.replace('sh score.sh, goal: max', 'sh score.sh, goal: max, file: out.json, key: value')
  await using rig = await SearchRig.open(
    { writes: `echo 12 > value.txt; echo '{"value": 999}' > out.json; echo "exit 1" > run.sh\n` },
    text,
    files,
  )
  const { of } = await rig.run()
  assert.equal(of('writes').score, null)
  assert.match(of('writes').error?.message ?? '', /did not write out\.json/)
})

test('what the candidate does while it is measured counts for nothing', async () => {
  // Its own code runs with the gate and with the score.
  const files = {
    ...FILES,
    'run.sh': 'cat value.txt\n',
    'test.sh': 'test "$(sh run.sh | tail -1)" -lt 100\n',
    'score.sh': 'value=$(sh run.sh | tail -1); echo "score: $value"\n',
  }
  const text = ONE_DEPTH.replace('sh score.sh, goal: max', 'sh score.sh, goal: max, pattern: "score: ([0-9]+)"')
  await using rig = await SearchRig.open(
    {
      'gate-edits': 'echo 21 > value.txt; echo \'echo "echo score: 999" > score.sh; cat value.txt\' > run.sh\n',
      'prints-line': 'echo 22 > value.txt; echo \'echo "score: 999" >&2; cat value.txt\' > run.sh\n',
      'stays-behind':
        'echo 24 > value.txt; echo \'(trap "" TERM HUP; exec >/dev/null 2>&1; sleep 60) & cat value.txt\' > run.sh\n',
    },
    text,
    files,
  )
  const { of } = await rig.run()
  assert.equal(of('gate-edits').score, 21)
  assert.equal(of('prints-line').score, 22)
  assert.equal(of('stays-behind').score, null)
  assert.equal(of('stays-behind').error?.reason, 'tampered')
})

test('a line that looks like the score is no score', async () => {
  const files = { ...FILES, 'score.sh': 'sh run.sh; echo "score: $(cat value.txt)"\n', 'run.sh': 'true\n' }
  const text = ONE_DEPTH.replace('sh score.sh, goal: max', 'sh score.sh, goal: max, pattern: "score: ([0-9]+)"')
  await using rig = await SearchRig.open(
    {
      fakes: 'echo 12 > value.txt; echo "echo score: 999" > run.sh\n',
      honest: 'echo 11 > value.txt\n',
    },
    text,
    files,
  )
  const { of, manifest } = await rig.run()
  assert.equal(of('fakes').error?.reason, 'tampered')
  assert.match(of('fakes').error?.message ?? '', /more than one `score` \(999, 12\)/)
  assert.equal(manifest.nodes.length, 2)
})

test('a process that a step leaves running is gone before the candidate is judged, and programs in the repository are not found', async () => {
  const files = {
    ...FILES,
    'spoil.sh': 'sleep 3; while :; do for d in ../*/; do echo 999 > "$d/value.txt"; done; sleep 0.02; done\n',
    'run.sh': 'true\n',
    'score.sh': 'sh run.sh; cat value.txt\n',
  }
  await using rig = await SearchRig.open(
    {
      lingers: 'echo 12 > value.txt; setsid sh spoil.sh >/dev/null 2>&1 &\n',
      'hides-and-lingers': 'echo 14 > value.txt; env -i setsid /bin/sh spoil.sh >/dev/null 2>&1 &\n',
      'fakes-program': `echo 13 > value.txt; mkdir -p bin; printf '#!/bin/sh\\necho 999\\n' > bin/cat; cp bin/cat cat; chmod +x bin/cat cat\n`,
      'prints-late': 'echo 15 > value.txt; echo "(sleep 0.2; echo 999) &" > run.sh\n',
    },
    ONE_DEPTH.replace('maxParallel: 3', 'maxParallel: 1'),
    files,
  )
  const PATH = ['bin', '.', '', join(rig.repository.top, 'bin'), process.env.PATH].join(':')
  const { of } = await rig.run({}, { ...process.env, PATH })
  assert.equal(of('lingers').score, 12)
  assert.equal(of('hides-and-lingers').score, 14)
  assert.equal(of('fakes-program').score, 13)
  assert.equal(of('prints-late').score, 15)
  assert.doesNotMatch(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }), /sh spoil\.sh/)
})
