import { sql } from 'kysely'
import type { NamedThings } from '../../../engine/flow/namedInFlow'
import type { SecretUse } from '../../contracts/secrets'
import type { Db } from '../../platform/database/database'
import type { Documents } from './collab/documents'
import { storedVersion } from './versions/readFlows'

/** Of things that followed lists refer to, the option that names one: a secret by its name, a connection by its id. */
const ofLists = { secrets: 'secret', connections: 'connection' } as const satisfies Record<NamedThings, string>

/**
 * Which flows of a project refer to which of its secrets or connections, in drafts or published versions, and which
 * lists that its chatbots follow and actions of their models do.
 */
export async function flowUses(
  context: { db: Db },
  documents: Pick<Documents, 'readParts' | 'drafts'>,
  projectId: string,
  things: NamedThings,
): Promise<Record<string, SecretUse[]>> {
  const { drafts } = documents
  const rows = await context.db
    .selectFrom('flows')
    .innerJoin('chatbots', (join) =>
      join.onRef('chatbots.id', '=', 'flows.chatbot_id').onRef('chatbots.project_id', '=', 'flows.project_id'),
    )
    .leftJoin('flow_versions', (join) =>
      join
        .onRef('flow_versions.id', '=', 'flows.published_version_id')
        .onRef('flow_versions.project_id', '=', 'flows.project_id'),
    )
    .select(['flows.id', 'flows.title', 'flow_versions.id as version_id', 'chatbots.gid', 'chatbots.name'])
    .where('flows.project_id', '=', projectId)
    .where('chatbots.deleting_since', 'is', null)
    .orderBy('chatbots.name')
    .orderBy('flows.is_main', 'desc')
    .orderBy('flows.id')
    .execute()
  const uses = new Map<string, Map<string, SecretUse>>()
  function entryOf(name: string, chatbot: SecretUse['chatbot']): SecretUse {
    const ofName = uses.get(name) ?? new Map<string, SecretUse>()
    uses.set(name, ofName)
    const use = ofName.get(chatbot.gid) ?? { chatbot, flows: [], lists: [], actions: [] }
    ofName.set(chatbot.gid, use)
    return use
  }
  for (const { id, title, version_id, ...chatbot } of rows) {
    // sequential: a project may have more drafts than the database has connections
    const parts = await documents.readParts(projectId, id)
    const drafted = await drafts.work(projectId, 'namedInDraft', { parts, things })
    const version = version_id === null ? null : await storedVersion(context, { id: version_id, projectId })
    const published = version === null ? [] : await drafts.work(projectId, 'namedInVersion', { version, things })
    for (const name of new Set([...drafted, ...published])) entryOf(name, chatbot).flows.push(title)
  }
  const lists = await context.db
    .selectFrom('knowledge_feeds')
    .innerJoin('chatbots', (join) =>
      join
        .onRef('chatbots.id', '=', 'knowledge_feeds.chatbot_id')
        .onRef('chatbots.project_id', '=', 'knowledge_feeds.project_id'),
    )
    .select(['knowledge_feeds.title', 'url', 'options', 'chatbots.gid', 'chatbots.name'])
    .where('knowledge_feeds.project_id', '=', projectId)
    .where('chatbots.deleting_since', 'is', null)
    .orderBy('chatbots.name')
    .orderBy('knowledge_feeds.id')
    .execute()
  for (const { title, url, options, ...chatbot } of lists) {
    const name = options[ofLists[things]]
    if (name !== undefined) entryOf(name, chatbot).lists.push(title || url)
  }
  const actions = things === 'connections' ? await booking() : []
  for (const { title, connection, ...chatbot } of actions) entryOf(connection, chatbot).actions.push(title)
  return Object.fromEntries(Array.from(uses, ([name, ofName]) => [name, [...ofName.values()]]))

  /** Actions that book by a connection. */
  function booking() {
    return context.db
      .selectFrom('agent_actions')
      .innerJoin('chatbots', (join) =>
        join
          .onRef('chatbots.id', '=', 'agent_actions.chatbot_id')
          .onRef('chatbots.project_id', '=', 'agent_actions.project_id'),
      )
      .select(['agent_actions.name as title', 'chatbots.gid', 'chatbots.name'])
      .select(sql<string>`config ->> 'connection'`.as('connection'))
      .where('agent_actions.project_id', '=', projectId)
      .where('agent_actions.kind', '=', 'appointment')
      .where('chatbots.deleting_since', 'is', null)
      .orderBy('chatbots.name')
      .orderBy('agent_actions.position')
      .execute()
  }
}

/** `“Bot” (Main flow, Support, acme.zendesk.com)`, for a sentence. */
export const placesOf = (uses: readonly SecretUse[]): string =>
  uses
    .map(({ chatbot, flows, lists, actions }) => `“${chatbot.name}” (${[...flows, ...lists, ...actions].join(', ')})`)
    .join(', ')
