// What `model: auto` has chosen, in words: `claude-haiku-4-5 (1 of 3)`.
import type { ModelChoice } from '../../model-choice.ts'

export function chosenModel({ model, tier, tiers }: ModelChoice): string {
  return `${model} (${tier} of ${tiers})`
}

export function choiceText(choice: ModelChoice): string {
  return `${chosenModel(choice)}: ${choice.why}`
}
