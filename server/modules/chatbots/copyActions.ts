import type { Transaction } from 'kysely'
import type { ServerContext } from '../../platform/context'
import type { Database } from '../../platform/database/tables'
import { createHeaderSecrets } from '../agents/actions/headerSecrets'
import { createToolServers } from '../agents/toolServers/toolServers'
import type { KnowledgePlace } from '../knowledge/knowledge'

/** Copies a chatbot's actions and tool servers to its copy; their headers and tokens are encrypted again for it. */
export async function copyActions(
  context: Pick<ServerContext, 'db' | 'config' | 'ids'>,
  trx: Transaction<Database>,
  from: KnowledgePlace,
  to: KnowledgePlace,
): Promise<void> {
  const toolServers = createToolServers(context)
  const headers = createHeaderSecrets(context.config)
  const place = { project_id: to.projectId, chatbot_id: to.chatbotId }
  const actions = await trx
    .selectFrom('agent_actions')
    .selectAll()
    .where('project_id', '=', from.projectId)
    .where('chatbot_id', '=', from.chatbotId)
    .orderBy('id')
    .execute()
  for (const original of actions) {
    const { id: _, parameters, ...row } = original
    const gid = context.ids()
    const action = headers.opened(original)
    // if the headers can't be decrypted, the copy asks for them, as the original does
    const columns = action
      ? headers.columnsOf(action, { gid, project_id: to.projectId })
      : { config: JSON.stringify(original.config) }
    await trx
      .insertInto('agent_actions')
      .values({ ...row, ...place, gid, parameters: JSON.stringify(parameters), ...columns })
      .execute()
  }
  const servers = await trx
    .selectFrom('tool_servers')
    .selectAll()
    .where('project_id', '=', from.projectId)
    .where('chatbot_id', '=', from.chatbotId)
    .orderBy('id')
    .execute()
  for (const { id: _, tools, ...row } of servers) {
    const access = toolServers.accessTo(row)
    // a token that can't be decrypted is not copied
    if (!access) continue
    const gid = context.ids()
    const sealed_token =
      access.token === null ? null : toolServers.seal({ gid, project_id: to.projectId }, access.token)
    await trx
      .insertInto('tool_servers')
      .values({ ...row, ...place, gid, sealed_token, tools: JSON.stringify(tools) })
      .execute()
  }
}
