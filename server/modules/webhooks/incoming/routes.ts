import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../../access/access'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import * as contract from '../../../contracts/webhookTriggers'
import type { ServerContext } from '../../../platform/context'
import { appendEvent } from '../../../platform/events/defineEvent'
import { triggerChanged } from '../events'
import type { TriggerRow, Triggers } from './triggers'

/** Routes of the form of a trigger that other programs call: its address, its secret, what was sent last. */
export function registerTriggers(app: FastifyInstance, context: ServerContext, triggers: Triggers): void {
  async function open({ db, project }: ProjectCaller, params: { cgid: string; block: string }): Promise<TriggerRow> {
    const { id } = await chatbotOf(db, project.id, params.cgid)
    return triggers.open(db, { project_id: project.id, chatbot_id: id, block_id: params.block })
  }

  registerRoute(app, context, contract.openHook, async ({ caller, params }) =>
    triggers.present(await open(caller, params)),
  )

  registerRoute(app, context, contract.renewHook, async ({ caller, params, origin }) => {
    const row = await open(caller, params)
    return caller.db.transaction().execute(async (work) => {
      await appendEvent(work, triggerChanged, origin, { chatbot: params.cgid, block: params.block })
      return triggers.present(await triggers.renew(work, row))
    })
  })

  registerRoute(app, context, contract.signHook, async ({ caller, params, body, origin }) => {
    const before = await open(caller, params)
    return caller.db.transaction().execute(async (work) => {
      await appendEvent(work, triggerChanged, origin, { chatbot: params.cgid, block: params.block })
      const { row, secret } = await triggers.sign(work, before, body.signed)
      return { state: triggers.present(row), secret }
    })
  })

  registerRoute(app, context, contract.forgetHookSample, async ({ caller, params }) => {
    await triggers.forget(caller.db, await open(caller, params))
    return {}
  })
}
