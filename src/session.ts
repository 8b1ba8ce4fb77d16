// The conversation of an agent, as the agent tells of it.
import * as z from 'zod'

export const session = z.object({
  agent: z.string(),
  /** Conversation id with which the agent can be asked to go on. */
  id: z.string(),
  model: z.string().nullable(),
  turns: z.number(),
  messages: z.number(),
  toolCalls: z.number(),
})
export type Session = z.infer<typeof session>
