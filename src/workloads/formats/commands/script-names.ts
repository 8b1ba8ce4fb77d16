// What the name of a script or target says that it does. Names are compared part by part, because `deploy-check` checks,
// and `build:dev` builds.

/** It does not end by itself: `dev`, `start:prod`, `web:dev`, `test:watch`. */
export function isServing(script: string): boolean {
  const parts = partsOf(script)
  if (parts.some((part, i) => part === 'watch' && parts[i - 1] !== 'no')) return true
  if (parts.some((part) => CHECKS.has(part) || BUILDS.has(part))) return false
  // `start:prod` says what to do, and then how; before `:dev` may be what is done (`validate:dev`) or where.
  if (SERVES.has(parts[0] ?? '')) return true
  return parts.some(isServer) && parts.every((part) => isServer(part) || PLACES.has(part))
}

/** It changes something outside of the worktree: `deploy`, `deploy:prod`, `docker-push`, `db:reset`. */
export function isPublishing(script: string): boolean {
  const parts = partsOf(script)
  if (parts.some((part) => CHECKS.has(part))) return false
  // What is built for a release is not released.
  return parts.some((part) => PUBLISHES.has(part)) || (parts.includes('release') && !parts.includes('build'))
}

function partsOf(script: string): string[] {
  return script
    .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
    .split(/[:_.-]/)
}

function isServer(part: string): boolean {
  return SERVES.has(part) || SERVERS.has(part)
}

const SERVES = new Set(['dev', 'start', 'serve', 'preview', 'develop'])
const SERVERS = new Set(['server', 'storybook', 'devserver'])
const PLACES = new Set(
  'web www app apps api client frontend backend docs site ui admin mobile local run all'.split(' '),
)
/** These end, but what is made may be sent somewhere: `build-and-push`. */
const BUILDS = new Set(['build', 'ci', 'compile', 'generate', 'install'])
const PUBLISHES = new Set('deploy publish push undeploy unpublish reset drop wipe migrate rollback seed'.split(' '))

/** Whatever else is in the name. */
const CHECKS = new Set(
  'test tests check checks lint typecheck types e2e smoke validate verify coverage notes dry plan status diff'.split(
    ' ',
  ),
)
