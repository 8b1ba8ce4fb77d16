// What a command names: its subcommand, its script, its files, without flags and without what belongs to a flag. In
// `pnpm --filter server build` the server is a package, and `build` is what is run.

/** `words`: a program and its arguments. What is behind `--` is for somebody else, as in `npm run dev -- --port 3000`. */
export function operandsOf(words: readonly string[]): string[] {
  return placesOf(words).map((at) => words[at] ?? '')
}

/** All that is written from the first operand on; nothing where there is none. */
export function fromOperand(words: readonly string[]): readonly string[] {
  const [at = words.length] = placesOf(words)
  return words.slice(at)
}

/** What stands before the operand of that number: flags of the program itself, not of what it runs. */
export function beforeOperand(words: readonly string[], number: number): readonly string[] {
  return words.slice(0, placesOf(words)[number] ?? words.length)
}

/** `/usr/bin/git` is `git`. */
export function programOf([program = '']: readonly string[]): string {
  return program.slice(program.lastIndexOf('/') + 1).toLowerCase()
}

function placesOf(words: readonly string[]): number[] {
  const valued = VALUED.get(programOf(words))
  const places: number[] = []
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? ''
    if (REDIRECTION.test(word) || (word === '--' && places.length > 0)) break
    if (/^[-+]/.test(word)) at += valued?.has(word) ? 1 : 0
    else if (!NO_OPERAND.test(word)) places.push(at)
  }
  return places
}

const REDIRECTION = /^\d?&?[<>]/

/** A setting (`make CC=gcc test`), and a number, which is how many or how long (`make -j 4 test`, `timeout 5s npm start`). */
const NO_OPERAND = /^[A-Za-z_]\w*=|^\d+(?:\.\d+)?[smhd]?$/

/** The flags that take the next word. Of others it does not matter here, because they come behind what is looked for. */
const VALUED = new Map(
  Object.entries({
    npm: '-w --workspace --prefix -C --loglevel --registry --tag --otp --access -p --package',
    pnpm: '-F --filter --filter-prod -C --dir --prefix --tag --otp --access --workspace-concurrency',
    yarn: '--cwd --tag --otp --access --include --exclude --from',
    bun: '-F --filter --cwd --tag --otp --access',
    turbo: '-F --filter --cwd',
    npx: '-p --package -w --workspace --prefix -C',
    make: '-C --directory -f --file --makefile -I --include-dir -o -W',
    just: '-f --justfile -d --working-directory',
    task: '-d --dir -t --taskfile',
    gradle: '-p --project-dir -x --exclude-task -b --build-file -c --settings-file -I --init-script --tests',
    mvn: '-pl --projects -f --file -P --activate-profiles -s --settings -rf --resume-from -T --threads',
    cargo: '-C --config --color --manifest-path -p --package --target --features -F',
    poetry: '-C --directory -P --project',
    uv: '--directory --project -p --python --with --extra --group --env-file --package',
    git: '-C -c --git-dir --work-tree --namespace --exec-path',
    gh: '-R --repo',
    docker:
      '-f --file -p --project-name --profile --project-directory --env-file --ansi --progress -H --host -c --context -l ' +
      '--log-level --config -v --volume -e --env -w --workdir -u --user --name --network --entrypoint --mount --platform ' +
      '-m --memory --cpus --label --add-host --publish --hostname -h',
    kubectl:
      '-n --namespace --context --cluster --kubeconfig --user -s --server -f --filename -o --output -l --selector',
    helm: '-n --namespace --kube-context --kubeconfig -f --values --set',
    terraform: '-chdir',
    pulumi: '-C --cwd -s --stack',
    alembic: '-c --config -n --name -x',
    prisma: '--schema',
    sequelize: '--config --env --url --options-path --migrations-path',
    flask: '-A --app -e --env-file',
    celery: '-A --app -b --broker --workdir',
    node: '-r --require --import --loader --experimental-loader --env-file -C --conditions -e --eval -p --print',
    tsx: '-r --require --import --env-file --tsconfig -e --eval',
    'ts-node': '-r --require -P --project -e --eval',
    python: '-c -W -X',
    timeout: '-s --signal -k --kill-after',
    env: '-u --unset -C --chdir',
    dotenv: '-e -f',
  }).map(([program, flags]): [string, Set<string>] => [program, new Set(flags.split(' '))]),
)
