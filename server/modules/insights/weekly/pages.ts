import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { registerRoute } from '../../../access/register'
import { hashToken } from '../../../access/tokens'
import { type InterfaceLanguage, interfaceLanguages } from '../../../contracts/languages'
import { confirmWeeklyMail, endWeeklyMail, showWeeklyConfirm, showWeeklyEnd } from '../../../contracts/weeklyMail'
import type { ServerContext } from '../../../platform/context'
import { escapeHtml, PLAIN_PAGE_HEADERS, plainPage } from '../../../platform/http/plainPage'
import { mailTexts } from '../../../platform/mail/texts/mailTexts'

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
      .leftJoin('users', 'users.id', 'weekly_mails.user_id')
      .select(['projects.name as project', 'chatbots.name as chatbot', 'users.language'])
      .where(column, '=', hashToken(token))
      .executeTakeFirst()

  /** Who may still confirm. */
  const unconfirmed = async (token: string) => {
    const guest = await guestBy('confirm_hash', token)
    return guest && (guest.confirmed_at !== null || guest.confirm_until > clock()) ? guest : null
  }
  const nameOf = ({ project, chatbot }: { project: string; chatbot: string | null }) => chatbot ?? project

  registerRoute(app, context, showWeeklyConfirm, async ({ params: { token }, request, reply }) => {
    const guest = await unconfirmed(token)
    const page = pagesFor(reply, guest?.language ?? preferred(request))
    if (!guest) return page.expired()
    return guest.confirmed_at ? page.confirmed(nameOf(guest)) : page.asks(nameOf(guest), 'accept')
  })
  registerRoute(app, context, showWeeklyEnd, async ({ params: { token }, request, reply }) => {
    const guest = await guestBy('end_hash', token)
    const page = pagesFor(reply, guest?.language ?? preferred(request))
    return guest ? page.asks(nameOf(guest), 'end') : page.ended()
  })

  app.register(async (scope) => {
    // forms and mail programs send this; what it says is known from the address
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1_000 },
      (_, __, done) => done(null, {}),
    )
    registerRoute(scope, context, confirmWeeklyMail, async ({ params: { token }, request, reply }) => {
      const guest = await unconfirmed(token)
      const page = pagesFor(reply, guest?.language ?? preferred(request))
      if (!guest) return page.expired()
      await db
        .forProject(guest.project_id)
        .updateTable('weekly_mail_guests')
        .set({ confirmed_at: clock() })
        .where('id', '=', guest.id)
        .where('confirmed_at', 'is', null)
        .execute()
      return page.confirmed(nameOf(guest))
    })
    registerRoute(scope, context, endWeeklyMail, async ({ params: { token }, request, reply }) => {
      const guest = await guestBy('end_hash', token)
      if (guest)
        await db.forProject(guest.project_id).deleteFrom('weekly_mail_guests').where('id', '=', guest.id).execute()
      return pagesFor(reply, guest?.language ?? preferred(request)).ended()
    })
  })
}

/** Of a link that nobody is known by any more: the first language of the browser that there are texts in. */
function preferred({ headers }: Pick<FastifyRequest, 'headers'>): InterfaceLanguage {
  const asked = (headers['accept-language'] ?? '').slice(0, 200).split(',')
  const codes = asked.map((tag) => tag.trim().slice(0, 2).toLowerCase())
  return codes.flatMap((code) => interfaceLanguages.filter((known) => known === code))[0] ?? 'en'
}

/** What the pages say, in a language: each sends its page. */
function pagesFor(reply: FastifyReply, lang: InterfaceLanguage) {
  const { pages, question, end } = mailTexts(lang).weekly
  const show = (title: string, body: string) =>
    reply.headers(PLAIN_PAGE_HEADERS).send(plainPage({ lang, dir: 'ltr', title, body }))
  const says = (words: string) => `<p>${escapeHtml(words)}</p>`
  return {
    asks: (name: string, what: 'accept' | 'end') => {
      const label = what === 'end' ? end : question.accept
      return show(pages.about(name), `<form method="post"><button>${escapeHtml(label)}</button></form>`)
    },
    confirmed: (name: string) => show(pages.confirmed, says(pages.confirmedWords(name))),
    expired: () => show(pages.expired, says(pages.expiredWords)),
    ended: () => show(pages.ended, says(pages.endedWords)),
  }
}
