import type { FastifyInstance, FastifyReply } from 'fastify'
import { registerRoute } from '../../../access/register'
import { hashToken } from '../../../access/tokens'
import { confirmWeeklyMail, endWeeklyMail, showWeeklyConfirm, showWeeklyEnd } from '../../../contracts/weeklyMail'
import type { ServerContext } from '../../../platform/context'
import { escapeHtml, PLAIN_PAGE_HEADERS, plainPage } from '../../../platform/http/plainPage'

/** Where the links in guests' mails lead. */
export const pathOfConfirm = (token: string): string => showWeeklyConfirm.path.replace(':token', token)
export const pathOfEnd = (token: string): string => showWeeklyEnd.path.replace(':token', token)

/**
 * The pages of a guest's links: each asks, since programs follow links, and does what its button sends. A link of
 * nobody gets a page as well: whoever ended the mails may come twice.
 */
export function registerWeeklyPages(app: FastifyInstance, context: ServerContext): void {
  const { db, clock } = context
  const guestBy = (column: 'confirm_hash' | 'end_hash', token: string) =>
    db
      .selectFrom('weekly_mail_guests')
      .innerJoin('weekly_mails', 'weekly_mails.id', 'weekly_mail_guests.weekly_mail_id')
      .innerJoin('projects', 'projects.id', 'weekly_mail_guests.project_id')
      .leftJoin('chatbots', 'chatbots.id', 'weekly_mails.chatbot_id')
      .select(['weekly_mail_guests.id', 'weekly_mail_guests.project_id', 'confirm_until', 'confirmed_at'])
      .select(['projects.name as project', 'chatbots.name as chatbot'])
      .where(column, '=', hashToken(token))
      .executeTakeFirst()

  /** Who may still confirm. */
  const unconfirmed = async (token: string) => {
    const guest = await guestBy('confirm_hash', token)
    return guest && (guest.confirmed_at !== null || guest.confirm_until > clock()) ? guest : null
  }
  const nameOf = ({ project, chatbot }: { project: string; chatbot: string | null }) => chatbot ?? project

  registerRoute(app, context, showWeeklyConfirm, async ({ params: { token }, reply }) => {
    const guest = await unconfirmed(token)
    if (!guest) return show(reply, EXPIRED)
    if (guest.confirmed_at) return show(reply, confirmed(nameOf(guest)))
    return show(reply, { title: `Weekly emails about ${nameOf(guest)}`, body: button('Get weekly emails') })
  })
  registerRoute(app, context, showWeeklyEnd, async ({ params: { token }, reply }) => {
    const guest = await guestBy('end_hash', token)
    if (!guest) return show(reply, ENDED)
    return show(reply, { title: `Weekly emails about ${nameOf(guest)}`, body: button('End these emails') })
  })

  app.register(async (scope) => {
    // forms and mail programs send this; what it says is known from the address
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1_000 },
      (_, __, done) => done(null, {}),
    )
    registerRoute(scope, context, confirmWeeklyMail, async ({ params: { token }, reply }) => {
      const guest = await unconfirmed(token)
      if (!guest) return show(reply, EXPIRED)
      await db
        .forProject(guest.project_id)
        .updateTable('weekly_mail_guests')
        .set({ confirmed_at: clock() })
        .where('id', '=', guest.id)
        .where('confirmed_at', 'is', null)
        .execute()
      return show(reply, confirmed(nameOf(guest)))
    })
    registerRoute(scope, context, endWeeklyMail, async ({ params: { token }, reply }) => {
      const guest = await guestBy('end_hash', token)
      if (guest)
        await db.forProject(guest.project_id).deleteFrom('weekly_mail_guests').where('id', '=', guest.id).execute()
      return show(reply, ENDED)
    })
  })
}

interface Page {
  title: string
  /** HTML */
  body: string
}

const show = (reply: FastifyReply, page: Page) =>
  reply.headers(PLAIN_PAGE_HEADERS).send(plainPage({ lang: 'en', dir: 'ltr', ...page }))
const button = (label: string) => `<form method="post"><button>${escapeHtml(label)}</button></form>`
const says = (words: string) => `<p>${escapeHtml(words)}</p>`
const confirmed = (name: string): Page => ({
  title: 'You will get weekly emails',
  body: says(`The figures of ${name} come once a week. Each email has a link that ends them.`),
})
const EXPIRED: Page = {
  title: 'This link has expired',
  body: says('Ask the person who wants to share the figures with you to send you another one.'),
}
const ENDED: Page = { title: 'These emails have ended', body: says('You will get no more of them.') }
