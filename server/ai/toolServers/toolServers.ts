import type { ServerContext } from '../../context'
import type { KnowledgePlace } from '../../knowledge/knowledge'
import { createSecrets } from '../../secrets/secrets'
import type { ToolServersTable } from '../../storage/toolServerTables'
import { type AgentTool, refused } from '../actions/agentTool'
import { createToolServerClient, type ToolServerAccess } from './client'
import { toolArguments } from './toolArguments'

type Sealed = Pick<ToolServersTable, 'gid' | 'project_id' | 'url' | 'sealed_token'>

/** The servers of tools that editors have set up for their chatbots. */
export function createToolServers({ db, config }: Pick<ServerContext, 'db' | 'config'>) {
  const client = createToolServerClient(config)
  const secrets = createSecrets(config)
  const sealedAt = ({ gid, project_id }: Pick<Sealed, 'gid' | 'project_id'>) => ({
    projectId: project_id,
    row: `tool_servers/${gid}`,
  })
  /** Null where the token can't be opened any more: the key that sealed it is gone. */
  const accessTo = (row: Sealed): ToolServerAccess | null => {
    const token = row.sealed_token === null ? null : secrets.open(row.sealed_token, sealedAt(row))
    return row.sealed_token !== null && token === null ? null : { url: row.url, token }
  }

  return {
    client,
    accessTo,
    seal: (row: Pick<Sealed, 'gid' | 'project_id'>, token: string) => secrets.seal(token, sealedAt(row)),

    /** The tools that a chatbot's model may use. Their names are for `toolNames` to make fit and unique. */
    async toolsOf({ projectId, chatbotId }: KnowledgePlace): Promise<Omit<AgentTool, 'name'>[]> {
      const rows = await db
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
          .map(({ name, title, description, schema }) => ({
            title: `${row.name}: ${title}`,
            description,
            schema,
            run: async (input: unknown, signal: AbortSignal) => {
              const read = toolArguments(schema, input)
              return 'problem' in read ? refused(read.problem) : client.call(access, name, read.values, signal)
            },
          }))
      })
    },
  }
}
