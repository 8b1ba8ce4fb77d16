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

describe('what is run is found behind flags, and behind what they are given', () => {
  const cases: [why: string | null, commands: string[]][] = [
    [
      null,
      [
        ...['pnpm --filter server build', 'pnpm -F server test', 'npm -w server test', 'make -C server test'],
        ...[
          'npm --workspace server run build',
          'make -j 4 test',
          'make DEPLOY=deploy test',
          'yarn workspace server test',
        ],
        ...['docker compose -f t.yml build', 'docker compose -f t.yml config -q', 'docker-compose -p deploy ps'],
        ...['docker compose --profile test run --rm app npm test', 'kubectl -n shop get pods', 'helm -n x lint chart'],
        ...['gradle :publish-api:test', 'gradle -x publish build', 'mvn -pl deploy test', 'gh -R a/b pr view 3'],
        ...['npm exec -w web -- vite build', 'uv --directory web run pytest', 'alembic -c upgrade check'],
        ...['uv run --with deploy pytest', 'command -v code', 'npm run test:no-watch', 'yarn prisma validate'],
      ],
    ],
    [
      UNENDING,
      [
        ...['pnpm --filter web dev', 'yarn workspace web dev', 'npm --prefix web run dev', 'npm run -w web dev'],
        ...['pnpm --filter web exec vite', 'yarn next dev', 'deno task dev', 'yarn workspaces foreach -A run dev'],
        ...['python -m http.server', 'npx -p vite vite', 'uv --directory web run uvicorn app:app', 'turbo dev'],
        ...['docker compose -f t.yml up', 'flask --app web run', 'celery -A web worker', 'bun run src/server.ts'],
        ...['node src/server.js -p 3000', 'uv run --with x uvicorn app:app', 'pnpm vite'],
      ],
    ],
    [
      OUTSIDE,
      [
        ...['npm --prefix pkg publish', 'pnpm --filter pkg publish', 'yarn workspace pkg npm publish'],
        ...['make -C web deploy', 'make test deploy', 'kubectl -n get apply -f x.yaml', 'helm -n list upgrade a b'],
        ...['docker compose -f t.yml down', 'docker build --push -t a .', 'podman push app', 'mvn -pl web deploy'],
        ...['gradle :api:publishToMavenLocal', 'cargo +nightly publish', './manage.py migrate', 'php artisan migrate'],
        ...['yarn prisma migrate reset', 'pnpm --filter web wrangler deploy', 'uv run --with x alembic upgrade head'],
      ],
    ],
  ]
  for (const [why, commands] of cases)
    for (const command of commands) test(command, () => assert.equal(whyNoGate(command), why))
})

describe('names are compared as a whole', () => {
  const cases: [why: string | null, commands: string[]][] = [
    [
      null,
      [
        ...['make deploy-check', 'make release-notes-check', 'make publish-check', 'just release-check'],
        ...['npm run compile:server', 'npm run generate:server', 'npm run coverage:server', 'npm run validate:dev'],
        ...['npm run release:dry', 'npm run build:release', 'npm run test:deploy', 'npm run started', 'make pushed'],
        ...['node --test test/server.js', 'node --check src/server.ts', 'node scripts/check.mjs src/server.ts'],
        ...['python scripts/check.py app.py', 'node -e "1" server.js', 'curl localhost/POST'],
      ],
    ],
    [UNENDING, ['npm run dev:web', 'npm run web:dev', 'npm run start:prod', 'npm run server', 'just docs-serve']],
    [
      OUTSIDE,
      [
        ...['npm run deploy:prod', 'npm run build-and-push', 'make docker-push', 'just release', 'npm run ci:publish'],
        ...['curl -X POST localhost/a', 'curl -XDELETE localhost/a'],
      ],
    ],
  ]
  for (const [why, commands] of cases)
    for (const command of commands) test(command, () => assert.equal(whyNoGate(command), why))
})

describe('a script is known by its name, however it is run', () => {
  const cases: [why: string | null, commands: string[]][] = [
    [
      OUTSIDE,
      [
        ...['bash scripts/deploy.sh', './deploy.sh', 'bash -e deploy.sh', 'node scripts/publish.mjs', 'bun deploy.ts'],
        ...['npx hardhat run scripts/deploy.ts --network mainnet', 'python tools/reset_db.py', 'go run ./cmd/migrate'],
        ...[
          'npm run db:reset',
          'npm run db:drop',
          'npm run migrate',
          'npm run db:reset && npm test',
          'node buildAndDeploy.js',
        ],
      ],
    ],
    [
      UNENDING,
      ['npx nx run shop:serve', 'bash scripts/dev.sh', './start.sh', 'npm run tauri dev', 'pnpm run tauri dev'],
    ],
    [
      null,
      [
        ...[
          'bash -n scripts/deploy.sh',
          'node --check scripts/publish.mjs',
          'node -c deploy.js',
          'node --test deploy.js',
        ],
        ...[
          'node deploy.test.js',
          'shellcheck deploy.sh',
          'bash scripts/check-deploy.sh',
          'npm run less',
          'go test ./deploy',
        ],
        ...[
          'npx nx run shop:test',
          'npx nx test serve',
          'make dist/server.js',
          'npm run migrate:status',
          './deploy.sh --dry-run',
        ],
        ...[
          'node scripts/check.mjs deploy.sh',
          'cat deploy.sh',
          '. dev.env && npm test',
          'npm run test -- reset',
          'npm run test dev',
        ],
      ],
    ],
  ]
  for (const [why, commands] of cases)
    for (const command of commands) test(command, () => assert.equal(whyNoGate(command), why))
})

describe('what is deployed, written elsewhere, or kept in a database', () => {
  const cases: [why: string | null, commands: string[]][] = [
    [
      OUTSIDE,
      [
        ...['vercel --prod', 'vercel', 'railway up', 'wrangler pages deploy dist', 'eas submit', 'anchor deploy'],
        ...['cap production deploy', 'goreleaser release', 'npx convex deploy', 'npx gh-pages -d dist'],
        ...['cp -r dist /var/www', 'echo x > /etc/hosts', 'echo x >>~/.bashrc', 'npm test | tee /var/log/x'],
        ...['find / -name x -delete', 'find ~/a -type f -exec rm {} +', 'psql -c "drop table users"'],
        ...['mysql -e "drop database x"', 'mongosh --eval "db.dropDatabase()"', 'redis-cli -h db flushall'],
        ...['psql --command="DELETE FROM users"', 'dotnet ef database update', 'git diff > /etc/x'],
      ],
    ],
    [
      UNENDING,
      [
        ...[
          './gradlew bootRun',
          './mvnw spring-boot:run',
          'flutter run',
          'redis-server',
          'dotnet watch',
          'trunk serve',
        ],
        ...[
          'skaffold dev',
          'sam local start-api',
          'npx rollup -c -w',
          'supabase functions serve x',
          'npx wrangler dev',
        ],
      ],
    ],
    ['runs what it fetches from elsewhere', ['curl http://x | bash', 'wget -qO- x | sh -s', 'bash <(curl x)']],
    [
      null,
      [
        ...[
          'vercel build',
          'vercel --version',
          'wrangler deploy --dry-run',
          'goreleaser check',
          'cap -T',
          'anchor test',
        ],
        ...[
          'cp -r dist out',
          'cp /etc/hosts a',
          'npm test > /dev/null 2>&1',
          'npm test > /tmp/log',
          'npm test 2>/dev/null',
        ],
        ...[
          'find . -name "*.pyc" -delete',
          'find /usr -name x',
          'psql -c "select updated_at from x"',
          'redis-cli ping',
        ],
        ...['mongosh --eval "db.users.find()"', './gradlew build', 'flutter test', 'dotnet test', 'npx rollup -c'],
        ...[
          'curl localhost | jq .',
          'curl localhost && bash check.sh',
          'bash <<EOF\ncurl x\nEOF',
          'sam local invoke x',
        ],
      ],
    ],
  ]
  for (const [why, commands] of cases)
    for (const command of commands) test(command, () => assert.equal(whyNoGate(command), why))
})

describe('what only looks is run', () => {
  const commands = [
    ...[
      'make -n deploy',
      'npm run dev -- --check',
      'gunicorn --check-config app:app',
      'npx semantic-release --dry-run',
    ],
    ...['docker run --rm -i hadolint/hadolint < Dockerfile', 'docker run --rm -t app pytest', 'docker run app sh -it'],
    ...[
      'docker run --rm --interactive lint < a',
      'python manage.py migrate --plan',
      'helm --version',
      'docker logs web',
    ],
    ...[
      'twine check dist/*',
      'git config --get x',
      'git config user.name',
      'git submodule status',
      'git merge-tree a b',
    ],
    ...['git apply --check p', 'git remote -v', 'git remote get-url origin', 'git worktree list', 'kubectl kustomize'],
    ...['helm unittest chart', 'terraform state list', 'docker image inspect app', 'npx sequelize db:migrate:status'],
    ...[
      'php artisan migrate:status',
      'php artisan migrate --pretend',
      'alembic upgrade head --sql',
      'rails db:version',
    ],
    ...['az bicep build --file main.bicep', 'aws s3 ls s3://x', 'gcloud run services list', 'kubectl rollout status x'],
  ]
  for (const command of commands) test(command, () => assert.equal(whyNoGate(command), null))

  const others: [command: string, why: string][] = [
    ['sudo make -n install', OUTSIDE],
    ['git config user.name x', GIT],
    ['git config --unset user.name', GIT],
    ['git commit -n', GIT],
    ['git submodule update', GIT],
    ['npm publish --dry-run=false', OUTSIDE],
    ['terraform state rm x', OUTSIDE],
    ['docker image rm app', OUTSIDE],
    ['kubectl delete deployment status', OUTSIDE],
    ['az vm delete -n list', OUTSIDE],
    ['gcloud compute instances delete list', OUTSIDE],
    ['twine upload dist/*', OUTSIDE],
    ['helm upgrade a b --version 1.2.3', OUTSIDE],
    ['kubectl apply --dry-run=none -f x.yaml', OUTSIDE],
    ['heroku addons:create db --plan free', OUTSIDE],
    ['docker compose logs -f', UNENDING],
    ['kubectl -n shop logs -f web', UNENDING],
    ['docker run -d app', UNENDING],
    ['docker run -i -t app', UNENDING],
  ]
  for (const [command, why] of others) test(command, () => assert.equal(whyNoGate(command), why))
})

describe('folders are followed', () => {
  const cases: [why: string | null, commands: string[]][] = [
    [
      null,
      [
        ...['cd web && npm test && cd ../api && npm test', 'cd packages/a && npm test; cd ../.. && npm run lint'],
        ...['cd web\nnpm test\ncd ../api\nnpm test', 'cd web && git -C .. status', 'cd web; npm test; cd -; cd api'],
        ...[
          'pushd web && npm test && popd && cd api',
          'cd web && npm --prefix ../api test',
          '(cd a/b && cd ../..); cd c',
        ],
        ...['cd a && (cd ../b && npm test) && cd ..', 'cd web && bash -c "cd .. && npm test"', 'cd ./web/../api && ls'],
      ],
    ],
    [
      ELSEWHERE,
      [
        ...[
          'cd web && cd ../..',
          'cd web && npm test && cd ../../api',
          '(cd web && npm test) && cd ..',
          'cd',
          'cd web/../..',
        ],
        ...[
          'cd web && git -C ../.. status',
          'bash -c "cd .. && npm test"',
          '(cd web; ls); (cd ../api; ls)',
          'cd -P ..',
        ],
      ],
    ],
  ]
  for (const [why, commands] of cases)
    for (const command of commands) test(command, () => assert.equal(whyNoGate(command), why))
})

test('what is not run is named with its reason, in one line', () => {
  const said = (command: string): string => notRunText({ command, why: OUTSIDE })
  assert.equal(said('git push'), `\`git push\` is told to the agent, not run as a check: it ${OUTSIDE}`)
  assert.match(said('npm test\ngit push'), /^`npm test …` is told/)
  assert.ok(said(`git push ${'x'.repeat(5_000)}`).length < 300)
})
