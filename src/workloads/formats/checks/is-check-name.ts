// What the name of a script or target says that it does. A name can lie, but a plan that has it run means what it says.

/** `test`, `test:unit`, `web:test`, `unit-tests`, `testDebugUnitTest`; but not `build-and-push` or `test:watch`. */
export function isCheckName(name: string): boolean {
  if (!/^[\w@:./-]+$/.test(name) || speaksOfMore(name)) return false
  const parts = name.split(':').filter((part) => part !== '')
  return [parts[0], parts.at(-1)].some((part) => {
    const words = wordsOf(part ?? '')
    return CHECKS.has(words[0] ?? '') || CHECKS.has(words.at(-1) ?? '')
  })
}

export function speaksOfMore(name: string): boolean {
  return wordsOf(name).some((word) => MORE.has(word))
}

function wordsOf(name: string): string[] {
  return name
    .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
}

const CHECKS = new Set(
  (
    'test tests check checks lint linter typecheck types tsc build compile verify validate unit spec specs e2e integration ' +
    'coverage vet analyze analyse clippy mypy pytest jest vitest detekt'
  ).split(' '),
)

/** Whatever else the name says, it may do more than that, or not end. */
const MORE = new Set(
  (
    'deploy deployment publish release ship push upload migrate prod production staging stage live remote watch dev ' +
    'develop serve start up down fix write update upgrade reset drop wipe seed destroy delete remove purge rollback ' +
    'install uninstall sync send notify mail email sign notarize submit apply provision infra docker image container ' +
    'cloud aws gcp azure k8s kube helm terraform and then ui open preview bump tag commit ' +
    'load import export populate create init setup charge pay bill mint broadcast post announce invite'
  ).split(' '),
)
