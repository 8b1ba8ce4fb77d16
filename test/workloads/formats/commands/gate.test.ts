import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { notRunText, whyNoGate } from '../../../../src/workloads/formats/commands/gate.ts'

const OUTSIDE = 'changes something outside of the worktree'
const GIT = 'changes what git keeps, here or elsewhere'
const UNENDING = 'does not end by itself'
const ELSEWHERE = 'is run in a folder outside of the worktree'

describe('commands that are no gates', () => {
  const cases: [why: string, commands: string[]][] = [
    [
      GIT,
      [
        ...[
          'git push',
          'git -c a=b push origin main',
          'git stash',
          'git checkout main',
          'git reset --hard',
          'git tag v1',
        ],
        ...['npm test && git add . && git commit -m "done"', 'ls $(git push)', 'git branch -D x', '/usr/bin/git push'],
        ...['if true; then git push; fi', 'bash -c "npm test && git push"'],
      ],
    ],
    [
      OUTSIDE,
      [
        ...['npm publish', 'npx lerna publish', 'npm run deploy', 'yarn publish', 'cargo publish', 'mvn clean deploy'],
        ...['terraform apply', 'kubectl apply -f x.yaml', 'helm upgrade a b', 'aws s3 rm s3://x', 'ssh prod uptime'],
        ...['docker compose up -d', 'docker push app', 'sudo make install', 'rm -rf ~/data', 'dropdb app_test'],
        ...['npx prisma migrate reset --force', 'alembic upgrade head', 'python manage.py migrate', 'rails db:reset'],
        ...['bundle exec rake db:drop', 'DATABASE_URL=x npx prisma db push', 'gh pr create', 'timeout 9 npm publish'],
      ],
    ],
    [
      UNENDING,
      [
        ...[
          'npm run dev',
          'npm start',
          'yarn dev',
          'pnpm run test:watch',
          'npm run dev &',
          'npm run storybook',
          'vite',
        ],
        ...['npx vite', 'npx next dev', 'docker compose up', 'docker run -it app', 'jest --watch', 'tail -f log.txt'],
        ...[
          'npx playwright test --ui',
          'python -m http.server',
          'python manage.py runserver',
          'uv run uvicorn app:app',
        ],
        ...['node server.js', 'python app.py', 'flask run', 'make serve', 'tsc -w', 'open index.html'],
      ],
    ],
    [
      ELSEWHERE,
      [
        ...[
          'cd /home/ada/shop && npx tsc --noEmit',
          'cd ~/shop; npm test',
          'cd "$HOME/shop" && npm test',
          'cd ../other && ls',
        ],
        ...[
          'git -C /srv/shop status',
          'npm --prefix=/srv/shop test',
          "cd '/srv/my shop' && npm test",
          'cd C:/shop && npm test',
        ],
      ],
    ],
  ]
  for (const [why, commands] of cases)
    for (const command of commands) test(command, () => assert.equal(whyNoGate(command), why))
})

describe('commands that are gates', () => {
  const commands = [
    ...[
      'npm test',
      'cd web && npm run build',
      'cd web && npm test && cd ..',
      'npm --prefix web test',
      'npm run build:dev',
    ],
    ...[
      'git diff --exit-code',
      'git -C web status',
      'git branch --show-current',
      'git tag -l',
      'git stash list',
      'git log -1',
    ],
    ...['npx vite build', 'npx next build', 'npx vitest run', 'npx jest --watchAll=false', 'npx playwright test'],
    ...[
      'terraform validate',
      'kubectl apply --dry-run=client -f x.yaml',
      'helm lint chart',
      'gh pr view 3',
      'npm publish --dry-run',
    ],
    ...[
      'docker build .',
      'docker run --rm app npm test',
      'docker compose run --rm web pytest',
      'docker compose config',
    ],
    ...[
      'python manage.py test',
      'python manage.py migrate --check',
      'npx prisma validate',
      'alembic check',
      'rm -rf dist',
    ],
    ...[
      'timeout 5 npm start',
      'npm run dev & sleep 3; curl localhost:3000; kill %1',
      'echo "git push"',
      'npm test # not git push',
    ],
    ...[
      'grep -r "git push" docs',
      'cat /etc/hosts',
      'cd "$(git rev-parse --show-toplevel)" && npm test',
      'npm run test:server',
      '',
    ],
  ]
  for (const command of commands) test(command || 'nothing', () => assert.equal(whyNoGate(command), null))
})

test('what is not run is named with its reason, in one line', () => {
  const said = (command: string): string => notRunText({ command, why: OUTSIDE })
  assert.equal(said('git push'), `\`git push\` is told to the agent, not run as a check: it ${OUTSIDE}`)
  assert.match(said('npm test\ngit push'), /^`npm test …` is told/)
  assert.ok(said(`git push ${'x'.repeat(5_000)}`).length < 300)
})
