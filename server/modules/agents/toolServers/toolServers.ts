import type { ServerContext } from '../../../platform/context'
import { createProjectStream } from '../../../platform/outbound/projectNetworks'
import { createSecrets } from '../../../platform/secrets/secrets'
import type { KnowledgePlace } from '../../knowledge/knowledge'
import { type AgentTool, refused, type ToolOutcome } from '../actions/agentTool'
import { createToolServerClient, type ToolServerAccess } from './client'
import type { OfferedTool, ToolServersTable } from './tables'
import { toolArguments } from './toolArguments'

type Sealed = Pick<ToolServersTable, 'gid' | 'project_id' | 'url' | 'sealed_token'>

type Use = (input: Record<string, unknown>, signal: AbortSignal) => Promise<ToolOutcome>

/**
 * In a test, only tools that their server declares read-only (`readOnlyHint`) are called: the editor chose to trust
 * that server. Nothing is known about the others.
 */
function waysOf(
  { title, schema, reads_only }: OfferedTool,
  use: Use,
  server: string,
): Pick<AgentTool, 'run' | 'simulate'> {
  const run: AgentTool['run'] = async (input, signal) => {
    const read = toolArguments(schema, input)
    return 'problem' in read ? refused(read.problem) : use(read.values, signal)
  }
  const simulate: AgentTool['run'] = async (input) => {
    const read = toolArguments(schema, input)
    return 'problem' in read ? refused(read.problem) : simulatedUse(server, title, read.values)
  }
  return { run, simulate: reads_only ? 'reads-only' : simulate }
}

const KEPT = 5_000

/** The result of a tool in a test that does not call it. */
export const simulatedUse = (server: string, tool: string, given: Record<string, unknown>) =>
  ({
    ok: true,
    answer: { ok: true, note: 'Preview: the tool was not used.' },
    detail: 'Not used, since this is a test.',
    effect: { type: 'tool', carriedOut: false, server, tool, arguments: JSON.stringify(given).slice(0, KEPT) },
  }) satisfies ToolOutcome

export type ToolServers = ReturnType<typeof createToolServers>

/** The MCP servers that editors have set up for their chatbots. */
export function createToolServers({ db, config }: Pick<ServerContext, 'db' | 'config'>) {
  const client = createToolServerClient((projectId) => createProjectStream({ db, config }, projectId))
  const secrets = createSecrets(config)
  const sealedAt = ({ gid, project_id }: Pick<Sealed, 'gid' | 'project_id'>) => ({
    projectId: project_id,
    row: `tool_servers/${gid}`,
  })
  /** Null if the token can't be decrypted: its key is gone. */
  const accessTo = (row: Sealed): ToolServerAccess | null => {
    const token = row.sealed_token === null ? null : secrets.open(row.sealed_token, sealedAt(row))
    return row.sealed_token !== null && token === null ? null : { projectId: row.project_id, url: row.url, token }
  }

  return {
    client,
    accessTo,
    seal: (row: Pick<Sealed, 'gid' | 'project_id'>, token: string) => secrets.seal(token, sealedAt(row)),

    /** The tools that a chatbot's model may use. `toolNames` makes their names valid and unique. */
    async toolsOf(
      { projectId, chatbotId }: KnowledgePlace,
      { isTest }: { isTest: boolean },
    ): Promise<Omit<AgentTool, 'name'>[]> {
      const rows = await db
        .forProject(projectId)
        .selectFrom('tool_servers')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('chatbot_id', '=', chatbotId)
        .where('enabled', '=', true)
        .orderBy('id')
        .execute()
      return rows.flatMap((row) => {
        const access = accessTo(row)
        if (!access) return []
        return row.tools
          .filter(({ name }) => !row.off.includes(name))
          .map((tool) => ({
            title: `${row.name}: ${tool.title}`,
            description: tool.description,
            schema: tool.schema,
            ...waysOf(tool, (input, signal) => client.call({ ...access, isTest }, tool.name, input, signal), row.name),
          }))
      })
    },
  }
}
