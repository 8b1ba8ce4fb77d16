// Output of the driver (driver.ts): one JSON object a line. The protocol is ours, so both ends have it from here.

import * as z from 'zod'

/** Orders for the driver, as its first argument. */
export const acpOrders = z.object({
  /** Null: the agent's own choice. */
  model: z.string().nullable(),
  /** The conversation to continue. */
  resume: z.string().nullable(),
  /** Globs of the paths it may write; null: all of its worktree. */
  mayWrite: z.array(z.string()).nullable(),
  /** File with these globs as they grow; null: they do not. */
  mayWriteFile: z.string().nullable(),
  /** A server for the agent to start. Only names of variables: everybody on the machine can read arguments. */
  mcp: z
    .object({ name: z.string(), command: z.string(), args: z.array(z.string()), env: z.array(z.string()) })
    .nullable(),
})
export type AcpOrders = z.infer<typeof acpOrders>

const paths = z.array(z.string())
const acpTool = z.object({
  id: z.string(),
  /** In the agent's words: `Writing to a.txt`. */
  title: z.string(),
  /** A kind of the protocol: read, edit, execute … */
  kind: z.string(),
  status: z.string(),
  paths,
  /** Arguments as JSON; null: not told, or too long. */
  input: z.string().nullable(),
})

export const acpLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session'),
    id: z.string(),
    model: z.string().nullable(),
    agent: z.string(),
    /** Another process of the agent can continue it. */
    resumable: z.boolean().default(true),
  }),
  /** A message, or a part of a long one. */
  z.object({ type: z.literal('message'), text: z.string(), continues: z.boolean() }),
  z.object({ type: z.literal('thought'), text: z.string(), continues: z.boolean() }),
  acpTool.extend({ type: z.literal('tool') }),
  acpTool.extend({ type: z.literal('tool-update'), output: z.string().nullable() }),
  z.object({
    type: z.literal('permission'),
    tool: z.string(),
    title: z.string(),
    answer: z.enum(['allowed', 'denied']),
    /** Paths that it wanted to write and may not. */
    outside: paths,
  }),
  /** Cost of the whole conversation so far. */
  z.object({ type: z.literal('cost'), usd: z.number().nonnegative() }),
  /** The end of the turn; tokens are those of the whole conversation, if the agent tells them. */
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
  /** The agent could not be brought to work, or said that it failed. `status`: of the provider's answer, if known. */
  z.object({ type: z.literal('error'), message: z.string(), status: z.number().nullable() }),
])
export type AcpLine = z.infer<typeof acpLine>

/** Something an ACP agent cannot do, or does not do in time. The message is for a person. */
export class AcpTrouble extends Error {}
