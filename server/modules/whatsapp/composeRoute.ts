import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import { previewWhatsapp } from '../../contracts/whatsappRequests'
import type { ServerContext } from '../../platform/context'
import type { Runtime } from '../conversations/runtime/createRuntime'
import { buttonWords } from './buttonWords'
import { composeMessages } from './composeMessages'
import { requestBodyOf } from './requestBody'

/** What stands for who gets the messages of a preview, and for the delivery. */
const TO = { to: 'PHONE_NUMBER' }
const KEY = 'MESSAGE'

/** The calls that would send a conversation of the preview, composed as those that are made (`deliver.ts`). */
export function registerCompose(
  app: FastifyInstance,
  context: ServerContext,
  runtime: Pick<Runtime, 'findForTester' | 'read'>,
): void {
  registerRoute(app, context, previewWhatsapp, async ({ caller: { db, project, user }, params }) => {
    const chatbot = await chatbotOf(db, project.id, params.cgid)
    const row = await runtime.findForTester({ id: chatbot.id, projectId: project.id }, params.conversation, user.id)
    const { language } = await db
      .selectFrom('conversations')
      .select('language')
      .where('id', '=', row.id)
      .where('project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    const turns = await db
      .selectFrom('turn_records')
      .select(['session', 'last_seq'])
      .where('run_id', '=', row.run_id)
      .where('project_id', '=', project.id)
      .orderBy('turn')
      .execute()
    const said = (await runtime.read(row)).messages.filter(({ author }) => author === 1)
    // as in the outbox: a question goes with the last message of its turn
    const asked = new Map(
      turns.map(({ session, last_seq }) => [
        said.findLast(({ seq }) => seq <= (last_seq ?? 0))?.seq,
        session?.status === 'ended' ? null : (session?.request ?? null),
      ]),
    )
    const words = buttonWords(language)
    return {
      messages: said.map(({ seq, content }) => ({
        seq,
        requests: composeMessages(content, asked.get(seq) ?? null, words).map((message, part) =>
          requestBodyOf(message, { to: TO, key: KEY, part }, context.config.publicUrl),
        ),
      })),
    }
  })
}
