import type { z } from 'zod'
import type { CallerUser } from '../../access/access'
import type { Route } from '../../contracts/route'
import type { EventContext } from '../../platform/events/defineEvent'

/** What a tool acts with: the rights of the key's holder in the key's project. */
export interface ToolCall {
  user: CallerUser
  pgid: string
  /** what events say of the call, in that project: the key's */
  origin(projectId: string): EventContext
  /** does what a route does; `pgid` is the key's */
  route<Params, Query, Body, Answer>(
    route: Route<Params, Query, Body, Answer>,
    params: Omit<Params, 'pgid'>,
    sent?: { query?: unknown; body?: unknown },
  ): Promise<Answer>
}

/** Something that an MCP client can have done. */
export interface McpTool {
  name: string
  title: string
  /** for the model that chooses it */
  description: string
  // each tool's own: what `run` gets is what this parsed
  input: z.ZodObject
  /** something is other than before when it was called */
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
