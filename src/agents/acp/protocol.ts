// What the driver (driver.ts) prints: one JSON object a line. The protocol is ours, so both ends have it from here.

import * as z from 'zod'

/** What the driver is told, as its first argument. */
export const acpOrders = z.object({
  /** Null: the agent's own choice. */
  model: z.string().nullable(),
  /** The conversation to go on with. */
  resume: z.string().nullable(),
  /** Globs of the paths it may write; null: all of its worktree. */
  mayWrite: z.array(z.string()).nullable(),
  /** Where they stand as they grow; null: they do not. */
  mayWriteFile: z.string().nullable(),
  /** A server the agent is to start. Of its variables only the names: everybody on the machine can read arguments. */
  mcp: z
    .object({ name: z.string(), command: z.string(), args: z.array(z.string()), env: z.array(z.string()) })
    .nullable(),
})
export type AcpOrders = z.infer<typeof acpOrders>

const paths = z.array(z.string())
const tool = z.object({
  id: z.string(),
  /** In the agent's words: `Writing to a.txt`. */
  title: z.string(),
  /** Of the protocol: read, edit, execute … */
  kind: z.string(),
  status: z.string(),
  paths,
  /** What it is used with, as JSON; null: it does not say, or it is too long to be printed. */
  input: z.string().nullable(),
})

export const acpLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session'),
    id: z.string(),
    model: z.string().nullable(),
    agent: z.string(),
    /** Whether another process of the agent can go on with it. */
    resumable: z.boolean().default(true),
  }),
  /** A message, or a part of a long one. */
  z.object({ type: z.literal('message'), text: z.string(), continues: z.boolean() }),
  /** What it said to itself. */
  z.object({ type: z.literal('thought'), text: z.string(), continues: z.boolean() }),
  tool.extend({ type: z.literal('tool') }),
  tool.extend({ type: z.literal('tool-update'), output: z.string().nullable() }),
  z.object({
    type: z.literal('permission'),
    tool: z.string(),
    title: z.string(),
    answer: z.enum(['allowed', 'denied']),
    /** Where it wanted to write and may not. */
    outside: paths,
  }),
  /** Of the whole conversation so far. */
  z.object({ type: z.literal('cost'), usd: z.number().nonnegative() }),
  /** Its last word; tokens are those of the whole conversation, where the agent tells them. */
  z.object({
    type: z.literal('stop'),
    reason: z.string(),
    tokens: z
      .object({
        input: z.number().nonnegative(),
        output: z.number().nonnegative(),
        cacheRead: z.number().nonnegative(),
        cacheWrite: z.number().nonnegative(),
        thought: z.number().nonnegative(),
      })
      .nullable(),
  }),
  /** It could not be brought to work, or said that it failed. `status`: of the provider's answer, where it is known. */
  z.object({ type: z.literal('error'), message: z.string(), status: z.number().nullable() }),
])
export type AcpLine = z.infer<typeof acpLine>

/** What an ACP agent cannot do, or does not do in time. The message is for a person. */
export class AcpTrouble extends Error {}
