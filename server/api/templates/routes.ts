import type { FastifyInstance } from 'fastify'
import type { Documents } from '../../collab/documents'
import type { ServerContext } from '../../context'
import { ApiError, fieldError } from '../../errors'
import { readTemplate, readTemplates } from '../../templates/readTemplates'
import { chatbotOf } from '../chatbots/rows'
import { addFlows } from '../flows/chatbotFlows'
import { withNewIds } from '../flows/readFlowFile'
import { registerRoute } from '../register'
import * as contract from './contract'
import { presentListed, presentTemplate } from './presenter'

/** The gallery of templates, and what goes from one into a flow that is open. New chatbots are made of one by `createChatbot`. */
export function registerTemplates(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const { db, registry } = context

  registerRoute(app, context, contract.listTemplates, async () => ({
    templates: (await readTemplates(registry)).map((template) => presentListed(template, registry)),
  }))

  registerRoute(app, context, contract.readTemplate, async ({ params }) => {
    const template = await readTemplate(params.slug, registry)
    if (!template) throw new ApiError('not_found')
    return { template: presentTemplate(template, registry) }
  })

  registerRoute(app, context, contract.takeTemplate, async ({ caller, params, body }) => {
    const projectId = caller.project.id
    const chatbot = await chatbotOf(db, projectId, params.cgid)
    const template = await readTemplate(body.template, registry)
    if (!template) throw fieldError('template', 'There is no such template')
    const { main, others } = withNewIds(template.flows, context)
    if (others.length > 0) {
      await db.transaction().execute((trx) => addFlows(context, trx, documents, { id: chatbot.id, projectId }, others))
    }
    return { flow: main }
  })
}
