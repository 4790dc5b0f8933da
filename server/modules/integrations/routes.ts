import type { FastifyInstance, FastifyReply } from 'fastify'
import { crmEffect } from '../../../engine/effects/crm'
import { resultOf } from '../../../engine/effects/defineEffect'
import { sheetsEffect } from '../../../engine/effects/sheets'
import { ticketEffect } from '../../../engine/effects/ticket'
import type { ProjectCaller } from '../../access/access'
import { registerRoute } from '../../access/register'
import { receiveCalendly } from '../../contracts/calendly'
import { tryCrm, trySheet, tryTicket } from '../../contracts/integrations'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import type { Documents } from '../flows/collab/documents'
import { receiveWebhook } from './calendly/receiveWebhook'
import { registerChoices } from './connections/choiceRoutes'
import { createConsent } from './connections/consent'
import { registerConnections } from './connections/routes'
import type { Integrations } from './createIntegrations'

/** All routes of connections and of what forms ask vendors. */
export function registerIntegrations(
  app: FastifyInstance,
  context: ServerContext,
  { accounts, tokens, sheets, crm, ticket, hooks, bookingRows, documents }: Integrations & { documents: Documents },
): void {
  registerConnections(app, context, { accounts, tokens, documents, hooks, consent: createConsent(context) })
  registerChoices(app, context, accounts)

  const take = receiveWebhook(bookingRows)
  registerRoute(
    app,
    context,
    receiveCalendly,
    async ({ params, body }) => {
      const connection = await hooks.connectionOf(params.connection)
      if (connection) await take(connection, body)
      return {}
    },
    ({ connection }) => hooks.secretOf(connection),
  )

  registerRoute(app, context, trySheet, async ({ caller, body, reply }) => {
    const answer = await sheets.answer(body, await trial(caller, body.connection, reply))
    const { ok, error = null, rows = [], numbers = [] } = resultOf(sheetsEffect, answer)
    return { ok, error, rows, numbers }
  })

  registerRoute(app, context, tryCrm, async ({ caller, body, reply }) => {
    const answer = await crm.answer(body, await trial(caller, body.connection, reply))
    const { ok, error = null, id = null, url = null, fields = {} } = resultOf(crmEffect, answer)
    return { ok, error, id, url, fields }
  })

  registerRoute(app, context, tryTicket, async ({ caller, body, reply }) => {
    const answer = await ticket.answer(body, await trial(caller, body.connection, reply))
    const { ok, error = null, id = null, url = null, status = null } = resultOf(ticketEffect, answer)
    return { ok, error, id, url, status }
  })

  /** The context of a call that its editor asked for. @throws ApiError not_found for another project's connection */
  async function trial({ db, project }: ProjectCaller, connection: string, { raw }: FastifyReply) {
    const row = db.selectFrom('connections').select('gid').where('gid', '=', connection)
    if (!(await row.executeTakeFirst())) throw new ApiError('not_found')
    const gone = new AbortController()
    raw.on('close', () => gone.abort())
    const idempotencyKey = `test-${context.ids()}`
    return { project: { id: project.id }, idempotencyKey, signal: gone.signal, writes: 'marked' } as const
  }
}
