import { createHash, randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { registry } from '../../../blocks/registry'
import { createIdSource } from '../../../engine/flow/ids'
import { emptyFlow, type Flow } from '../../../engine/flow/schema'
import { Role } from '../../../server/access/roles'
import { buildApp } from '../../../server/app'
import { addProject } from '../../../server/modules/accounts/projects/addProject'
import { addChatbot } from '../../../server/modules/chatbots/addChatbot'
import { flows } from '../../../server/modules/flows/module'
import { parseConfig } from '../../../server/platform/config/config'
import { createContext } from '../../../server/platform/context'
import { openStorage } from '../../../server/platform/database/openStorage'
import { largeFlow } from '../../support/largeFlow'
import { systemOrigin } from '../../support/systemOrigin'

/**
 * Parley as it runs, over its own PostgreSQL, for the bench of the sync server: 208 flows and one of 1,000 groups in one project, whose
 * editors are as many as it takes for nobody to have more tabs than one may have.
 */
const FLOWS = 208
const EDITORS = 24
const GROUPS = 1_000

const config = parseConfig(process.env)
const storage = await openStorage(
  config,
  () => {},
  () => {},
)
const ids = createIdSource(randomBytes)
const context = createContext({
  db: storage.db,
  config,
  registry,
  clock: () => new Date(),
  ids,
  log: pino({ level: 'error' }),
})
const app = await buildApp(context)
const documents = app.modules.provided(flows).documents

const cookies: string[] = []
const users: string[] = []
for (let n = 0; n < EDITORS; n++) {
  const { id } = await storage.db
    .insertInto('users')
    .values({
      gid: ids(),
      email: `editor${n}@example.com`,
      first_name: 'Editor',
      last_name: String(n),
      password_hash: 'none',
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const token = randomBytes(32).toString('base64url')
  await storage.db
    .insertInto('sessions')
    .values({
      token_hash: createHash('sha256').update(token).digest(),
      user_id: id,
      created_at: new Date(),
      expires_at: new Date(Date.now() + 86_400_000),
    })
    .execute()
  users.push(id)
  cookies.push(`parley_session=${token}`)
}
const project = await storage.db.transaction().execute(async (trx) => {
  const made = await addProject(context, trx, users[0] as string, 'Bench', 'bench')
  for (const user_id of users.slice(1)) {
    const member = { project_id: made.id, user_id, roles: [Role.EDITOR], is_default: true, created_at: new Date() }
    await trx.insertInto('project_members').values(member).execute()
  }
  return made
})

async function add(main: Flow): Promise<string> {
  const chatbot = await storage.db
    .transaction()
    .execute((trx) =>
      addChatbot(
        context,
        trx,
        project,
        { name: 'Bench', flows: { main, others: [] }, origin: systemOrigin(project.id) },
        documents,
      ),
    )
  const flow = storage.db.selectFrom('flows').select('gid').where('chatbot_id', '=', chatbot.id)
  return (await flow.executeTakeFirstOrThrow()).gid
}
const rooms: string[] = []
for (let n = 0; n < FLOWS; n++) rooms.push(await add(emptyFlow()))
const large = await add(largeFlow(GROUPS))

const flowOf = (gid: string) =>
  storage.db
    .selectFrom('flows')
    .select(['id', 'project_id as projectId'])
    .where('gid', '=', gid)
    .executeTakeFirstOrThrow()

const asks: Record<string, (of: string) => unknown> = {
  memory() {
    global.gc?.()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  },
  cpu: () => process.cpuUsage(),
  async stored(gid) {
    const flow = await flowOf(gid)
    await (await documents.rooms.present(flow))?.flushed()
    let stored = 0
    for (const table of ['flow_updates', 'flow_snapshots'] as const) {
      const rows = await storage.db.selectFrom(table).select('data').where('flow_id', '=', flow.id).execute()
      stored += rows.reduce((sum, { data }) => sum + data.length, 0)
    }
    return { stored, document: null }
  },
  /** resolves once nobody's room is left */
  async evicted() {
    for (const gid of [...rooms, large]) {
      const flow = await flowOf(gid)
      while (documents.rooms.present(flow)) await new Promise((resolve) => setTimeout(resolve, 250))
    }
    return null
  },
}
process.on('message', async ({ id, ask, of }: { id: number; ask: string; of: string }) =>
  process.send?.({ id, answer: await asks[ask]?.(of) }),
)
process.on('disconnect', () => void app.close().finally(storage.close))
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ url: `${url.replace('http', 'ws')}/collab`, rooms, cookies, large })
