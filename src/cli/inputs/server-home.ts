// Where the user's own configuration is: settings, and what the server keeps (tokens, projects).
import { join } from 'node:path'
import type { Surroundings } from '../surroundings.ts'

export function serverHome({ env, home }: Pick<Surroundings, 'env' | 'home'>): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'espalier')
}

export function tokensPath(surroundings: Pick<Surroundings, 'env' | 'home'>): string {
  return join(serverHome(surroundings), 'server', 'tokens.json')
}

export function projectsPath(surroundings: Pick<Surroundings, 'env' | 'home'>): string {
  return join(serverHome(surroundings), 'projects.json')
}
