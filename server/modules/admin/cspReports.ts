import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../access/register'
import { clearCspReports, listCspReports } from '../../contracts/cspReports'
import type { ServerContext } from '../../platform/context'
import type { KeptReports } from '../operations/cspReports/keptReports'
import { noteAction } from './noteAction'

/** What browsers reported of the content security policy, for who runs the installation: it can be cleared. */
export function registerCspReportsOfAdmin(app: FastifyInstance, context: ServerContext, kept: KeptReports): void {
  registerRoute(app, context, listCspReports, () => ({ reports: kept.newestFirst() }))
  registerRoute(app, context, clearCspReports, async ({ caller: { user } }) => {
    const doer = { operator: user.email, at: context.clock() }
    await noteAction(context.db, doer, 'clear_csp_reports', String(kept.newestFirst().length))
    kept.clear()
    return {}
  })
}
