import { randomBytes } from 'node:crypto'
import type { Flow } from '../../engine/flow/schema'
import type { Db } from '../../server/platform/database/database'

export interface PublishedFlow {
  projectId: string
  chatbotId: string
  versionId: string
}

const gid = (): string => Array.from(randomBytes(16), (byte) => (byte % 36).toString(36)).join('')

/**
 * Inserts a project with one chatbot whose main flow is published: rows only, no document.
 * @param projectId adds the chatbot to this project instead
 */
export async function insertPublishedFlow(
  db: Db,
  flow: Flow,
  slug = `bot-${gid()}`,
  flows: Record<string, Flow> = {},
  projectId?: string,
): Promise<PublishedFlow> {
  const at = new Date()
  const project = projectId
    ? { id: projectId }
    : await db
        .insertInto('projects')
        .values({ gid: gid(), name: 'Test', created_at: at, updated_at: at })
        .returning('id')
        .executeTakeFirstOrThrow()
  const chatbot = await db
    .insertInto('chatbots')
    .values({ gid: gid(), egid: gid(), project_id: project.id, name: 'Bot', slug, created_at: at, updated_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const main = await db
    .insertInto('flows')
    .values({
      gid: gid(),
      project_id: project.id,
      chatbot_id: chatbot.id,
      title: 'Main',
      is_main: true,
      published_version_id: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const version = await db
    .insertInto('flow_versions')
    .values({
      project_id: project.id,
      flow_id: main.id,
      number: 1,
      hash: 'x',
      flow: JSON.stringify(flow),
      flows: JSON.stringify(flows),
      created_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('flows')
    .set({ published_version_id: version.id, published_at: at })
    .where('id', '=', main.id)
    .execute()
  return { projectId: project.id, chatbotId: chatbot.id, versionId: version.id }
}

/** Publishes another version of a chatbot's main flow: rows only, nobody is told of it. */
export async function insertNextVersion(db: Db, { projectId, chatbotId }: PublishedFlow, flow: Flow): Promise<void> {
  const main = await db
    .selectFrom('flows')
    .select('id')
    .where('chatbot_id', '=', chatbotId)
    .where('is_main', '=', true)
    .executeTakeFirstOrThrow()
  const version = await db
    .insertInto('flow_versions')
    .values(({ selectFrom, fn, eb }) => ({
      project_id: projectId,
      flow_id: main.id,
      number: selectFrom('flow_versions')
        .select(eb(fn.max('number'), '+', 1).as('next'))
        .where('flow_id', '=', main.id),
      hash: gid(),
      flow: JSON.stringify(flow),
      flows: '{}',
      created_by: null,
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('flows').set({ published_version_id: version.id }).where('id', '=', main.id).execute()
}
