import type { z } from 'zod'
import type { CallerUser } from '../../access/access'
import type { Route } from '../../contracts/route'
import type { EventContext } from '../../platform/events/defineEvent'

/** A tool's context: the rights of the key's holder in the key's project. */
export interface ToolCall {
  user: CallerUser
  pgid: string
  /** the origin for events in the key's project */
  origin(projectId: string): EventContext
  /** calls a route; `pgid` is the key's */
  route<Params, Query, Body, Answer>(
    route: Route<Params, Query, Body, Answer>,
    params: Omit<Params, 'pgid'>,
    sent?: { query?: unknown; body?: unknown },
  ): Promise<Answer>
}

/** A tool for MCP clients. */
export interface McpTool {
  name: string
  title: string
  /** for the model that chooses it */
  description: string
  // specific to each tool: `run` gets the parsed value
  input: z.ZodObject
  /** whether it changes anything */
  changes: boolean
  run(args: never, call: ToolCall): Promise<unknown>
}

/** Declares a tool; `run` gets what `input` parsed. */
export const defineTool = <Input extends z.ZodObject>(
  tool: Omit<McpTool, 'input' | 'run'> & {
    input: Input
    run: (args: z.infer<Input>, call: ToolCall) => Promise<unknown>
  },
): McpTool => tool as unknown as McpTool
