import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import { hashToken } from '../../../access/tokens'
import { endAnswersByMail, showUnsubscribe } from '../../../contracts/answersByMail'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { escapeHtml, PLAIN_PAGE_HEADERS, plainPage } from '../../../platform/http/plainPage'
import { webChatOf } from '../../web/webSettings'
import { filledIn, textsIn } from './texts'

/** Where a mail's link to end such mails leads. */
export const pathOfUnsubscribe = (token: string): string => showUnsubscribe.path.replace(':token', token)

/**
 * Ends mails of a project to an address: a page that asks, since programs follow links, and what its button and mail
 * programs send (RFC 8058).
 */
export function registerUnsubscribe(app: FastifyInstance, context: ServerContext): void {
  const { db, clock } = context

  async function find(token: string) {
    const row = await db
      .selectFrom('mail_threads')
      .innerJoin('conversations', 'conversations.id', 'mail_threads.conversation_id')
      .innerJoin('chatbots', 'chatbots.id', 'conversations.chatbot_id')
      .leftJoin('web_chats', 'web_chats.chatbot_id', 'conversations.chatbot_id')
      .select(['conversations.id', 'conversations.project_id', 'conversations.language as spoken', 'chatbots.name'])
      .select(['web_chats.language', 'web_chats.look_published'])
      .where('mail_threads.unsubscribe_hash', '=', hashToken(token))
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    const { language, look } = webChatOf(row)
    const { interface_language } = language
    const spoken = textsIn([interface_language === 'auto' ? row.spoken : interface_language])
    return { row, name: look.brand.name || row.name, ...spoken }
  }

  registerRoute(app, context, showUnsubscribe, async ({ params: { token }, reply }) => {
    const { texts, lang, dir, name } = await find(token)
    const button = `<form method="post"><button>${escapeHtml(texts.unsubscribe)}</button></form>`
    return reply.headers(PLAIN_PAGE_HEADERS).send(plainPage({ lang, dir, title: name, body: button }))
  })

  app.register(async (scope) => {
    // mail programs and forms send this; what it says is known from the address
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1_000 },
      (_, __, done) => done(null, {}),
    )
    registerRoute(scope, context, endAnswersByMail, async ({ params: { token }, reply }) => {
      const { row, texts, lang, dir, name } = await find(token)
      const mailed = await db
        .forProject(row.project_id)
        .selectFrom('mails')
        .select('addresses')
        .where('project_id', '=', row.project_id)
        .where('conversation_id', '=', row.id)
        .where('purpose', '=', 'answer')
        .orderBy('id', 'desc')
        .limit(MOST_ADDRESSES)
        .execute()
      const addresses = new Set(mailed.flatMap(({ addresses: { to } }) => to.map((address) => address.toLowerCase())))
      for (const address of addresses)
        await db
          .forProject(row.project_id)
          .insertInto('mail_refusals')
          .values({
            project_id: row.project_id,
            address_hash: createHash('sha256').update(address).digest(),
            refused_at: clock(),
          })
          .onConflict((known) => known.doNothing())
          .execute()
      const said = `<p>${escapeHtml(filledIn(texts.unsubscribed, { name }))}</p>`
      return reply.headers(PLAIN_PAGE_HEADERS).send(plainPage({ lang, dir, title: name, body: said }))
    })
  })
}

/** Mails of a conversation whose addresses are looked at: it may have been mailed to several. */
const MOST_ADDRESSES = 50
