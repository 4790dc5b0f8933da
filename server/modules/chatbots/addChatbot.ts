import type { Transaction } from 'kysely'
import type { ChatbotFlows } from '../../../engine/flow/schema'
import type { ProjectCaller } from '../../access/access'
import { type Entitled, entitlementsOf } from '../../access/entitlements'
import { platforms } from '../../contracts/chatbots'
import type { ServerContext } from '../../platform/context'
import type { Database } from '../../platform/database/tables'
import { ApiError } from '../../platform/errors'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import type { Documents } from '../flows/collab/documents'
import type { Seeds } from '../flows/drafts/draftTasks'
import { addFlows } from '../flows/flows/chatbotFlows'
import { chatbotCreated } from './events'

/** SPEC.md 9. */
const NAME_CAP = 125
const SLUG_CAP = 64

/** A chatbot that was just added, and its main flow. */
export interface AddedChatbot {
  id: string
  gid: string
  projectId: string
  flow: { id: string; gid: string; title: string }
}

interface NewChatbot {
  name: string
  flows: ChatbotFlows | Seeds
  /** the user who designed the flows */
  by?: string
  /** the origin of its events, which belong to the chatbot's project */
  origin: EventContext
  copyOf?: string | undefined
  template?: string | undefined
  /** SPEC.md 3; absent: the web */
  platform?: number | undefined
  /** the project's sample, of which there is one, and which takes no place of the plan */
  sample?: boolean
}

/**
 * Adds a chatbot with the given flows, whose ids are new in the installation. Concurrent calls for the same project
 * wait for each other.
 * @throws ApiError `plan_limit` when the project's plan allows no more chatbots, `conflict` for a second sample
 */
export async function addChatbot(
  context: ServerContext,
  transaction: Transaction<Database>,
  project: Pick<ProjectCaller['project'], 'id' | keyof Entitled>,
  { name, flows, by, origin, sample = false, platform = platforms.web, ...from }: NewChatbot,
  documents: Pick<Documents, 'seedFlow'>,
): Promise<AddedChatbot> {
  await transaction
    .selectFrom('projects')
    .select('id')
    .where('id', '=', project.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { count } = await transaction
    .selectFrom('chatbots')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('project_id', '=', project.id)
    .where('deleting_since', 'is', null)
    .where('sample', '=', sample)
    .executeTakeFirstOrThrow()
  if (sample && Number(count) > 0) throw new ApiError('conflict')
  if (!sample && Number(count) >= entitlementsOf(project).limits.chatbots) throw new ApiError('plan_limit')
  const now = context.clock()
  const chatbot = await transaction
    .insertInto('chatbots')
    .values({
      gid: context.ids(),
      egid: context.ids(),
      project_id: project.id,
      ...{ name, sample, platform_id: platform },
      slug: slugFor(name, context.ids()),
      created_at: now,
      updated_at: now,
    })
    .returning(['id', 'gid'])
    .executeTakeFirstOrThrow()
  const flow = await transaction
    .insertInto('flows')
    .values({
      gid: context.ids(),
      project_id: project.id,
      chatbot_id: chatbot.id,
      title: 'Main flow',
      is_main: true,
      created_at: now,
    })
    .returning(['id', 'gid', 'title'])
    .executeTakeFirstOrThrow()
  await documents.seedFlow(transaction, project.id, flow.id, flows.main, by)
  await addFlows(context, transaction, documents, { id: chatbot.id, projectId: project.id }, flows.others)
  await appendEvent(
    transaction,
    chatbotCreated,
    { ...origin, projectId: project.id },
    { chatbot: chatbot.gid, name, ...from },
  )
  return { ...chatbot, projectId: project.id, flow }
}

/** The name in the characters of addresses with a part of an id, so that a common name takes no address from others. */
function slugFor(name: string, id: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  const suffix = id.slice(0, 6)
  const stem = words.slice(0, SLUG_CAP - suffix.length - 1).replace(/^-+|-+$/g, '')
  return stem ? `${stem}-${suffix}` : `chat-${suffix}`
}

/** "Support copy", within the limit of length. */
export function copyName(name: string): string {
  const suffix = ' copy'
  return `${name.slice(0, NAME_CAP - suffix.length)}${suffix}`
}
