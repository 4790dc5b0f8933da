import type { FastifyInstance } from 'fastify'
import type { Selectable } from 'kysely'
import { ruleMessages } from '../../../../engine/values/rules'
import type { ProjectCaller } from '../../../access/access'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import * as contract from '../../../contracts/tool-servers'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb, ProjectWork } from '../../../platform/database/database'
import { ApiError, fieldError, isUniqueViolation } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { capped, toolLimits } from '../actions/agentTool'
import { toolServerChanged, toolServerCreated, toolServerDeleted } from '../events'
import type { ToolServerAccess } from './client'
import type { ToolServersTable } from './tables'
import { simulatedUse, type ToolServers } from './toolServers'

type Row = Selectable<ToolServersTable>

/** Routes for the MCP servers that a chatbot's model may use. */
export function registerToolServers(app: FastifyInstance, context: ServerContext, servers: ToolServers): void {
  const { clock, ids } = context
  const { client } = servers

  /** Throws not_found. */
  async function find(caller: ProjectCaller, { cgid, gid }: { cgid: string; gid: string }) {
    const chatbot = await chatbotOf(caller.db, caller.project.id, cgid)
    const row = await caller.db
      .selectFrom('tool_servers')
      .selectAll()
      .where('chatbot_id', '=', chatbot.id)
      .where('gid', '=', gid)
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    return row
  }
  const update = (work: ProjectDb | ProjectWork, row: Pick<Row, 'gid' | 'project_id'>, values: object) =>
    work
      .updateTable('tool_servers')
      .set(values)
      .where('gid', '=', row.gid)
      .returningAll()
      .executeTakeFirstOrThrow(() => new ApiError('not_found'))

  /** Lists its tools; throws at the field to correct if that fails. */
  async function ask(access: ToolServerAccess) {
    const listed = await client.list(access)
    if ('problem' in listed) throw fieldError(listed.problem.at, listed.problem.message)
    return { tools: JSON.stringify(listed.tools), problem: null, listed_at: clock() }
  }

  registerRoute(app, context, contract.listToolServers, async ({ caller, params }) => {
    const { id } = await chatbotOf(caller.db, caller.project.id, params.cgid)
    const rows = await caller.db
      .selectFrom('tool_servers')
      .selectAll()
      .where('chatbot_id', '=', id)
      .orderBy('id')
      .execute()
    return { servers: rows.map(present) }
  })

  registerRoute(app, context, contract.addToolServer, async ({ caller, params, body, origin }) => {
    const { project, user } = caller
    const { id } = await chatbotOf(caller.db, project.id, params.cgid)
    // any host that the operator allows: the guard decides, not the format of its name
    if (!/^https?:\/\//.test(body.url) || !URL.canParse(body.url)) throw fieldError('url', ruleMessages.url)
    const { count } = await caller.db
      .selectFrom('tool_servers')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('chatbot_id', '=', id)
      .executeTakeFirstOrThrow()
    if (Number(count) >= contract.toolServerCaps.servers)
      throw new ApiError('conflict', {
        message: `A chatbot can have ${contract.toolServerCaps.servers} tool servers.`,
      })
    const token = body.token || null
    const offered = await ask({ projectId: project.id, url: body.url, token })
    const gid = ids()
    const row = await caller.db
      .transaction()
      .execute(async (work) => {
        const added = await work
          .insertInto('tool_servers')
          .values({
            gid,
            project_id: project.id,
            chatbot_id: id,
            name: body.name,
            url: body.url,
            ...sealed({ gid, project_id: project.id }, token),
            enabled: true,
            ...offered,
            created_by: user.id,
            created_at: clock(),
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        await appendEvent(work, toolServerCreated, origin, about(params.cgid, added))
        return added
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? fieldError('url', 'This chatbot uses that server already') : error
      })
    return { server: present(row) }
  })

  const sealed = (row: { gid: string; project_id: string }, token: string | null) => ({
    sealed_token: token === null ? null : servers.seal(row, token),
    token_preview: token === null ? null : `…${token.slice(-4)}`,
  })

  registerRoute(app, context, contract.changeToolServer, async ({ caller, params, body, origin }) => {
    const row = await find(caller, params)
    const { token, ...rest } = body
    const fresh =
      token === undefined
        ? {}
        : {
            ...(await ask({ projectId: row.project_id, url: row.url, token: token || null })),
            ...sealed(row, token || null),
          }
    if (Object.keys({ ...rest, ...fresh }).length === 0) return { server: present(row) }
    const changed = await caller.db.transaction().execute(async (work) => {
      const updated = await update(work, row, { ...rest, ...fresh })
      await appendEvent(work, toolServerChanged, origin, about(params.cgid, updated))
      return updated
    })
    return { server: present(changed) }
  })

  registerRoute(app, context, contract.refreshToolServer, async ({ caller, params }) => {
    const row = await find(caller, params)
    const access = servers.accessTo(row)
    const listed = access
      ? await client.list(access)
      : { problem: { message: 'The token can no longer be read. Enter it again.' } }
    const values =
      'problem' in listed
        ? { problem: listed.problem.message }
        : { tools: JSON.stringify(listed.tools), problem: null, listed_at: clock() }
    return { server: present(await update(caller.db, row, values)) }
  })

  registerRoute(app, context, contract.deleteToolServer, async ({ caller, params, origin }) => {
    const row = await find(caller, params)
    await caller.db.transaction().execute(async (work) => {
      await work.deleteFrom('tool_servers').where('gid', '=', row.gid).execute()
      await appendEvent(work, toolServerDeleted, origin, about(params.cgid, row))
    })
    return {}
  })

  registerRoute(app, context, contract.testTool, async ({ caller, params, body }) => {
    const row = await find(caller, params)
    const access = servers.accessTo(row)
    if (!access) throw new ApiError('conflict', { message: 'The token can no longer be read. Enter it again.' })
    const tool = row.tools.find(({ name }) => name === body.tool)
    if (!tool) throw new ApiError('not_found')
    const began = performance.now()
    const { ok, answer, effect } =
      body.carry_out || tool.reads_only
        ? await client.call({ ...access, isTest: true }, tool.name, body.arguments, AbortSignal.timeout(toolLimits.ms))
        : simulatedUse(row.name, tool.title, body.arguments)
    return { ok, result: capped(answer), ms: Math.round(performance.now() - began), ...(effect && { effect }) }
  })
}

/** The payload of events about a tool server. */
const about = (chatbot: string, { gid, name }: Pick<Row, 'gid' | 'name'>) => ({ chatbot, server: gid, name })

const present = ({
  gid,
  name,
  url,
  token_preview,
  enabled,
  tools,
  off,
  problem,
  listed_at,
}: Row): contract.ToolServer => ({
  gid,
  name,
  url,
  token_preview,
  enabled,
  tools: tools.map((tool) => ({ ...tool, enabled: !off.includes(tool.name) })),
  problem,
  listed_at: listed_at.toISOString(),
})
