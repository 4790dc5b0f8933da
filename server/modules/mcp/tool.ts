import type { z } from 'zod'
import type { KeyCall } from '../../access/keyCall'

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
  run(args: never, call: KeyCall): Promise<unknown>
}

/** Declares a tool; `run` gets what `input` parsed. */
export const defineTool = <Input extends z.ZodObject>(
  tool: Omit<McpTool, 'input' | 'run'> & {
    input: Input
    run: (args: z.infer<Input>, call: KeyCall) => Promise<unknown>
  },
): McpTool => tool as unknown as McpTool
