import type { FastifyInstance } from 'fastify'
import { cleanText } from '../../../../engine/values/cleanText'
import { registerRoute } from '../../../access/register'
import { sayConsent } from '../../../contracts/chat'
import type { ServerContext } from '../../../platform/context'
import type { Runtime } from '../runtime/createRuntime'

/** How often a minute a conversation's visitor may change their mind. */
const CONSENTS_PER_MINUTE = 10

/**
 * Keeps when a visitor let the browser keep the conversation, declined that, or took it back, with the question as it
 * was shown, and whether the visit counts in analytics: figures follow with the next thing that happens in it. What is
 * said twice is one row. A site that allows nothing says so on each of its pages: that is none, unless it takes back
 * what was given.
 */
export function registerConsent(
  app: FastifyInstance,
  context: ServerContext,
  runtime: Pick<Runtime, 'findForVisitor'>,
): void {
  const consentsOf = context.limits.attempts('consents of a conversation', CONSENTS_PER_MINUTE)

  registerRoute(
    app,
    context,
    sayConsent,
    async ({ caller: { conversation: ref }, body: { given, question, analytics } }) => {
      await consentsOf.take(ref.id)
      const of = { conversation_id: ref.id, project_id: ref.project_id }
      await context.db
        .forProject(ref.project_id)
        .transaction()
        .execute(async (trx) => {
          // two tabs that say it at once are one after the other
          await trx.selectFrom('conversations').select('id').where('id', '=', ref.id).forUpdate().executeTakeFirst()
          if (analytics !== undefined)
            await trx.updateTable('conversations').set({ analytics }).where('id', '=', ref.id).execute()
          const last = await trx
            .selectFrom('consents')
            .select('given')
            .where('conversation_id', '=', ref.id)
            .orderBy('id', 'desc')
            .limit(1)
            .executeTakeFirst()
          const isNew = last ? last.given !== given : given || question !== ''
          if (!isNew) return
          const values = { ...of, given, question: cleanText(question), said_at: context.clock() }
          await trx.insertInto('consents').values(values).execute()
        })
      return {}
    },
    ({ slug, conversation }, token) => runtime.findForVisitor({ name: slug, gid: conversation, token }),
  )
}
