import type { z } from 'zod'
import * as contract from '../../../contracts/chat'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import type { GatePlace } from '../../../platform/http/admission'
import { verifiedContact } from '../../contacts/verifiedContact'
import { availabilityOf } from '../../web/availability'
import { createIdentityCheck } from '../../web/identity'
import type { Runtime } from '../runtime/createRuntime'
import { type Pass, readPass } from '../runtime/shareLock'
import { isBlocked } from './blockedVisitors'
import { createFrameCheck } from './embed'
import { findPublished, notAvailable } from './findPublished'
import { presentConversation, presentOpening } from './presenter'
import { notePage } from './visitedPages'
import type { VisitorLimits } from './visitorLimits'
import { knownVisitorOf, startEventOf, userIdOf, visitorOf } from './visits'

type Asked = z.infer<(typeof contract.startConversation)['body']>
export type Started = z.infer<(typeof contract.startConversation)['answer']>

interface Call {
  /** the slug of the shared page, or `@` and the external id */
  slug: string
  /** the caller's, for limits */
  address: string
  place?: GatePlace | undefined
}

/** Makes what lets a visitor in: a conversation begins, or the one that there is goes on (contracts/chat.ts). */
export function createStart(context: ServerContext, runtime: Runtime, visitorLimits: VisitorLimits) {
  const { clock, db } = context
  const checkFrame = createFrameCheck(context)
  const isSigned = createIdentityCheck(context)

  /** @throws ApiError not_found, chat_closed, forbidden, visitor_blocked, or of the limits */
  return async (asked: Asked, { slug, address, place }: Call): Promise<Started> => {
    const page = await findPublished(context, slug)
    const { state } = availabilityOf(page.web.visibility, clock())
    if (state === 'hidden') throw notAvailable()
    if (state === 'closed') throw new ApiError('chat_closed')
    const pass = await readPass(db.forProject(page.projectId), page.projectId, page.lock, asked.access, clock())
    checkFrame(page, asked.frame)
    if (asked.user && !(await isSigned(page, asked.user.id, asked.user.hash)))
      throw new ApiError('forbidden', { message: 'The id of this user is not signed by the chatbot’s secret.' })
    const visitor = asked.user ? knownVisitorOf(page.projectId, asked.user.id, asked) : visitorOf(asked)
    if (visitor && (await isBlocked(db.forProject(page.projectId), { chatbotId: page.chatbotId, visitor })))
      throw new ApiError('visitor_blocked')
    const present = asked.resume && (await findPresent(slug, asked.resume, page.lock ? pass : undefined))
    const renews = present ? await runtime.renews(present.ref) : false
    // what takes another conversation's place begins as that one did
    const event = await startEventOf(context, page, asked, visitor, renews ? present?.ref.id : undefined)
    const { forThisVisit, shows } = await runtime.foresee(page, event)
    if (present && !forThisVisit && !renews) {
      await notePage(db.forProject(page.projectId), present.ref, { url: asked.url, at: clock() })
      const conversation = presentOpening(
        context.config,
        await runtime.read(present.ref, { latest: contract.MESSAGES_A_PAGE }),
      )
      return { token: present.token, conversation, resumed: true, shows: 'open' }
    }
    await visitorLimits.take(page.web.visibility, {
      chatbotId: page.chatbotId,
      visitor: visitor?.hash.toString('base64') ?? asked.client_id,
      address,
    })
    const { projectId, chatbotId } = page
    const contact =
      asked.user &&
      (await verifiedContact(db.forProject(projectId), context, { projectId, chatbotId, verifiedId: asked.user.id }))
    const options = {
      ...page,
      pass,
      clientId: asked.client_id,
      startedBy: null,
      event,
      visitor: visitor && { ...visitor, ...(contact && { contactId: contact.id }) },
      ...(asked.variables && { named: asked.variables }),
      known: {
        ...(visitor && { user_id: asked.user?.id ?? userIdOf(visitor) }),
        ...(asked.language && { language: asked.language.toLowerCase() }),
      },
    }
    const { ref, token } = await runtime.start(options, place)
    return {
      token: token ?? '',
      conversation: presentConversation(context.config, await runtime.read(ref)),
      resumed: false,
      shows,
    }
  }

  /** The conversation that a visitor has had, if it is there. */
  async function findPresent(
    slug: string,
    { conversation, token }: { conversation: string; token: string },
    pass: Pass | undefined,
  ) {
    try {
      return { ref: await runtime.findForVisitor({ name: slug, gid: conversation, token }, pass), token }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return null
      throw error
    }
  }
}
