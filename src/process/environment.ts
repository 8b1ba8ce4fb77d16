// The part of the engine's environment that an agent gets: a list of what is needed, not of what is secret.
import picomatch from 'picomatch'

/** `allow`: more names or globs (`MY_*`). `extra` is added as it is and overrules. */
export function agentEnvironment(
  parent: NodeJS.ProcessEnv,
  allow: string[],
  extra: Record<string, string> = {},
): Record<string, string> {
  const isNamed = allow.length > 0 ? picomatch(allow, { dot: true }) : () => false
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(parent)) {
    const isAllowed = isAlwaysAllowed(name) || isNamed(name)
    if (value !== undefined && isAllowed && !isForbidden(name)) environment[name] = value
  }
  return { ...environment, ...extra }
}

export function declaredEnvironment(parent: NodeJS.ProcessEnv, allow: string[]): Record<string, string> {
  const isDeclared = picomatch(allow, { dot: true })
  const named = Object.entries(parent).filter(([name]) => allow.length > 0 && isDeclared(name) && !isForbidden(name))
  return Object.fromEntries(named.map(([name, value]) => [name, value ?? '']))
}

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'FTP_PROXY']

const ALLOWED = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'LC_*', 'TERM', 'COLORTERM', 'TZ'],
  ...['SSH_AUTH_SOCK', 'XDG_*', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
  ...['JAVA_HOME', 'GOPATH', 'GOROOT', 'CARGO_HOME', 'RUSTUP_HOME', 'NVM_DIR', 'PYENV_ROOT', 'VIRTUAL_ENV'],
  ...['PNPM_HOME', 'BUN_INSTALL'],
  ...PROXIES,
  ...PROXIES.map((name) => name.toLowerCase()),
]

const isAlwaysAllowed = picomatch(ALLOWED, { dot: true })

/**
 * Forbidden whatever the user allows: GIT_* of the engine would point an agent's git at another repository, and
 * ESPALIER_* of an engine that is itself run by an agent belong to that attempt, its token above all.
 */
function isForbidden(name: string): boolean {
  return /^(GIT_|ESPALIER_)/.test(name)
}
