import { memberOf, wantWithinLimit } from '../../access/access'
import { findFlow } from '../../access/findFlow'
import type { KeyCall } from '../../access/keyCall'
import { readChatbot } from '../../contracts/chatbots'
import { checkDraft } from '../../contracts/versions'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import type { Documents } from '../flows/collab/documents'
import { flowImported } from '../flows/events'
import { readChatbotDrafts } from '../flows/flows/chatbotFlows'
import { keepDraft } from '../flows/versions/freeze'
import { takeIn } from '../secrets/takeIn'

/** A flow of a chatbot; `flow` left out: the main one. */
interface Place {
  chatbot: string
  flow?: string | undefined
}

export type FlowFiles = ReturnType<typeof createFlowFiles>

/** Drafts of flows as JSON, for programs: read with a mark, replaced by who names it. */
export function createFlowFiles(context: ServerContext, documents: Documents) {
  const { drafts } = documents

  /** Finds the flow if the caller has the right. */
  async function find(call: KeyCall, feature: 'builder.view' | 'builder.update', { chatbot, flow }: Place) {
    const member = await memberOf(context, call.user, call.pgid, feature)
    await wantWithinLimit(member, feature, chatbot)
    const { db, project } = member
    const fid = flow ?? (await call.route(readChatbot, { cgid: chatbot })).chatbot.fid
    return { ...(await findFlow({ db }, project.id, { cgid: chatbot, fid })), db }
  }
  const serialised = async (place: { project_id: string; id: string }) =>
    drafts.work(place.project_id, 'serialise', { parts: await documents.readParts(place.project_id, place.id) })

  return {
    /** @returns the draft as a JSON text, and its mark, which `write` wants back. @throws ApiError `not_found` */
    read: async (call: KeyCall, place: Place): Promise<{ mark: string; text: string }> =>
      serialised(await find(call, 'builder.view', place)),

    /**
     * Replaces the draft. What stood before is kept as a version; editors who have the flow open keep what they type.
     * @throws ApiError `conflict` if somebody changed it since it was read; `invalid` if it is no flow
     */
    async write(call: KeyCall, { mark, content, ...at }: Place & { mark: string; content: Record<string, unknown> }) {
      const place = await find(call, 'builder.update', at)
      // refused before anything is stored
      await drafts.work(place.project_id, 'takeFlow', { content, present: { names: [], values: [] } })
      if ((await serialised(place)).mark !== mark)
        throw new ApiError('conflict', {
          message: 'The flow was changed since it was read. Read it again and write your change into that.',
        })
      const present = await readChatbotDrafts(place, documents, place.project_id, place.chatbot_id)
      const before = await drafts.work(place.project_id, 'freeze', { drafts: present.drafts, checked: null })
      const origin = call.origin(place.project_id)
      const kept = await place.db.transaction().execute(async (trx) => {
        const { gid, title } = place
        await appendEvent(trx, flowImported, origin, { chatbot: at.chatbot, flow: gid, title, mode: 'api' })
        return keepDraft(trx, context, present.place, before, {
          name: 'Before a change by an API key',
          userId: call.user.id,
        })
      })
      const { flow: next, notes } = await takeIn(context, origin, (known) =>
        drafts.work(place.project_id, 'takeFlow', { content, present: known }),
      )
      await documents.writeFlow(place.project_id, place.id, next, call.user.id)
      return {
        mark: (await serialised(place)).mark,
        kept_as_version: kept?.number ?? null,
        notes: notes.map(({ message }) => message),
        check: await call.route(checkDraft, { cgid: at.chatbot }),
      }
    },
  }
}
