import type { FastifyInstance } from 'fastify'
import { resultOf } from '../../../engine/effects/defineEffect'
import { sheetsEffect } from '../../../engine/effects/sheets'
import { registerRoute } from '../../access/register'
import { trySheet } from '../../contracts/integrations'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import type { Documents } from '../flows/collab/documents'
import { registerChoices } from './connections/choiceRoutes'
import { createConsent } from './connections/consent'
import { registerConnections } from './connections/routes'
import type { Integrations } from './createIntegrations'

/** All routes of connections and of what forms ask vendors. */
export function registerIntegrations(
  app: FastifyInstance,
  context: ServerContext,
  { accounts, tokens, sheets, documents }: Integrations & { documents: Documents },
): void {
  registerConnections(app, context, { accounts, tokens, documents, consent: createConsent(context) })
  registerChoices(app, context, accounts)

  registerRoute(app, context, trySheet, async ({ caller, body, reply }) => {
    const row = caller.db.selectFrom('connections').select('gid').where('gid', '=', body.connection)
    if (!(await row.executeTakeFirst())) throw new ApiError('not_found')
    const gone = new AbortController()
    reply.raw.on('close', () => gone.abort())
    const answer = await sheets.answer(body, {
      project: { id: caller.project.id },
      idempotencyKey: `test-${context.ids()}`,
      signal: gone.signal,
      writes: 'marked',
    })
    const { ok, error = null, rows = [], numbers = [] } = resultOf(sheetsEffect, answer)
    return { ok, error, rows, numbers }
  })
}
