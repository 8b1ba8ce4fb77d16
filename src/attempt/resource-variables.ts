// What an attempt is told of the resources it has: `ESPALIER_GPU=0,1`, and the variables that the plan makes of them.
import type { OrderedResource } from './attempt-order.ts'

export function resourceVariables(resources: readonly OrderedResource[]): Record<string, string> {
  return Object.fromEntries(
    resources.flatMap(({ name, numbers, count, env }) => {
      const width = String(count - 1).length
      const filled = (template: string) =>
        numbers.map((number) => template.replaceAll('{index}', String(number).padStart(width, '0'))).join(',')
      const own = Object.entries(env ?? {}).map(([variable, template]) => [variable, filled(template)])
      return [[`ESPALIER_${name.toUpperCase().replaceAll('-', '_')}`, numbers.join(',')], ...own]
    }),
  )
}
