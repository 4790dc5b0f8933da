import { secretsOfFlow } from '../../../engine/flow/sealFlow'
import type { Documents } from '../../collab/documents'
import type { ServerContext } from '../../context'
import type { SecretUse } from './contract'

/** Which flows of a project refer to which secrets: in their drafts, or as visitors have them. */
export async function secretUses(
  { db, registry }: Pick<ServerContext, 'db' | 'registry'>,
  documents: Pick<Documents, 'readFlow'>,
  projectId: string,
): Promise<Record<string, SecretUse[]>> {
  const rows = await db
    .selectFrom('flows')
    .innerJoin('chatbots', (join) =>
      join.onRef('chatbots.id', '=', 'flows.chatbot_id').onRef('chatbots.project_id', '=', 'flows.project_id'),
    )
    .leftJoin('flow_versions', (join) =>
      join
        .onRef('flow_versions.id', '=', 'flows.published_version_id')
        .onRef('flow_versions.project_id', '=', 'flows.project_id'),
    )
    .select(['flows.id', 'flows.title', 'flow_versions.flow', 'flow_versions.flows', 'chatbots.gid', 'chatbots.name'])
    .where('flows.project_id', '=', projectId)
    .where('chatbots.deleting_since', 'is', null)
    .orderBy('chatbots.name')
    .orderBy('flows.is_main', 'desc')
    .orderBy('flows.id')
    .execute()
  const uses = new Map<string, Map<string, SecretUse>>()
  for (const { id, title, flow, flows, ...chatbot } of rows) {
    // one after the other: a project may have more drafts than the database has connections
    const draft = await documents.readFlow(projectId, id)
    const all = [draft, ...(flow ? [flow, ...Object.values(flows ?? {})] : [])]
    for (const name of new Set(all.flatMap((one) => secretsOfFlow(one, registry)))) {
      const ofName = uses.get(name) ?? new Map<string, SecretUse>()
      uses.set(name, ofName)
      const use = ofName.get(chatbot.gid) ?? { chatbot, flows: [] }
      ofName.set(chatbot.gid, use)
      use.flows.push(title)
    }
  }
  return Object.fromEntries(Array.from(uses, ([name, ofName]) => [name, [...ofName.values()]]))
}
