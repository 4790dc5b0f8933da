import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/templates'
import type { ServerContext } from '../../platform/context'
import { ApiError, fieldError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import type { Documents } from '../flows/collab/documents'
import { flowCreated } from '../flows/events'
import { addFlows } from '../flows/flows/chatbotFlows'
import { withNewIds } from '../flows/flows/readFlowFile'
import { onlyConnections } from '../integrations/connections/onlyConnections'
import { withOwnConnections } from './ownConnections'
import { presentListed, presentTemplate } from './presenter'
import { readTemplate, readTemplates } from './readTemplates'

/**
 * Routes for the template gallery, and for inserting a template into an open flow. New chatbots are created from one by
 * `createChatbot`.
 */
export function registerTemplates(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const { registry } = context

  registerRoute(app, context, contract.listTemplates, async ({ query: { language } }) => ({
    templates: (await readTemplates(registry))
      .map((template) => presentListed(template, registry, language))
      .sort((a, b) => a.title.localeCompare(b.title, language)),
  }))

  registerRoute(app, context, contract.readTemplate, async ({ params, query: { language } }) => {
    const template = await readTemplate(params.slug, registry)
    if (!template) throw new ApiError('not_found')
    return { template: presentTemplate(template, registry, language) }
  })

  registerRoute(app, context, contract.takeTemplate, async ({ caller, params, body, origin }) => {
    const projectId = caller.project.id
    const chatbot = await chatbotOf(caller.db, projectId, params.cgid)
    const template = await readTemplate(body.template, registry)
    if (!template) throw fieldError('template', 'There is no such template')
    const flows = withOwnConnections(template.flows, await onlyConnections(caller.db, projectId))
    const { main, others } = withNewIds(flows, context)
    if (others.length > 0) {
      await caller.db.transaction().execute(async (trx) => {
        const added = await addFlows(context, trx, documents, { id: chatbot.id, projectId }, others)
        for (const { gid, title } of added)
          await appendEvent(trx, flowCreated, origin, { chatbot: params.cgid, flow: gid, title })
      })
    }
    return { flow: main }
  })
}
