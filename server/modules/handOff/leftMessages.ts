import { z } from 'zod'
import { languageIn } from '../../access/languageOf'
import type { ServerContext } from '../../platform/context'
import { defineJob, type HandledJob } from '../../platform/jobs/defineJob'
import { mailTexts } from '../../platform/mail/texts/mailTexts'
import type { Mailer } from '../mails/createMailer'
import { keepContact, keepLead } from './keepVisitor'
import { peopleOf } from './people'

const left = defineJob(
  'left-message',
  z.strictObject({ chatbot: z.string(), key: z.string(), name: z.string(), email: z.string(), message: z.string() }),
)

/** What a visitor writes while nobody is there. */
export interface LeftMessage {
  projectId: string
  chatbotId: string
  /** the same key is one message, however often it is sent */
  key: string
  /** the call's id, for its events */
  correlation: string
  name: string
  email: string
  message: string
}

export type LeaveMessage = (message: LeftMessage) => Promise<void>

/** Makes what keeps a visitor's message: a contact, a lead, and a mail to the members who may answer visitors. */
export function createLeaveMessage(context: ServerContext): LeaveMessage {
  const { db, clock, jobs } = context
  return async ({ projectId, chatbotId, key, correlation, name, email, message }) => {
    await db
      .forProject(projectId)
      .transaction()
      .execute(async (work) => {
        const visitor = { project_id: projectId, chatbot_id: chatbotId, email, name, key: correlation }
        await keepContact(work, context, { ...visitor, contact_id: null })
        await keepLead(work, clock(), visitor, { leadKey: key, message })
        const payload = { chatbot: chatbotId, key, name, email, message }
        await jobs.schedule(work, left, { key, payload, runAt: clock(), projectId })
      })
    jobs.wake()
  }
}

/** What mails them; each mail's key makes it one, however often this is tried. */
export function mailLeft({ db, config }: ServerContext, send: Mailer): HandledJob {
  return left.handledBy(async ({ chatbot, key, name, email, message }, { projectId }) => {
    if (projectId === null) return undefined
    const own = db.forProject(projectId)
    const place = await own
      .selectFrom('chatbots')
      .innerJoin('projects', 'projects.id', 'chatbots.project_id')
      .select(['chatbots.name', 'chatbots.gid as cgid', 'projects.gid as pgid'])
      .where('chatbots.id', '=', chatbot)
      .executeTakeFirst()
    if (!place) return undefined
    const link = `${config.publicUrl}/projects/${place.pgid}/chatbots/${place.cgid}/leads`
    for (const person of await peopleOf(own, projectId, [])) {
      const language = await languageIn(own, projectId, person.email)
      await send({
        projectId,
        conversationId: null,
        key: `${key}.${person.id}`,
        purpose: 'hand-off',
        fromName: '',
        to: [person.email],
        cc: [],
        bcc: [],
        replyTo: [email],
        subject: mailTexts(language).leftMessage.title(name, place.name),
        body: { template: 'left-message', language, chatbot: place.name, name, email, message, link },
      })
    }
    return undefined
  })
}
