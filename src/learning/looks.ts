// What a task looks like before it has run, in the terms in which attempts are compared.
import type { Settings } from '../config.ts'
import type { Experience, Looks } from '../experience.ts'
import type { Task } from '../task.ts'
import { complexityOf } from './complexity.ts'
import { domainOf } from './domain.ts'
import { tellingWords } from './words.ts'

export type LearningSettings = Pick<Settings, 'learning' | 'models' | 'agents'>

export function looksOf(task: Task, { learning, models }: LearningSettings): Looks & Pick<Experience, 'parts'> {
  const { score, ...parts } = complexityOf(task, models.weights, learning.domains)
  return { domain: domainOf(task, learning.domains), complexity: score, parts, words: tellingWords(task) }
}
