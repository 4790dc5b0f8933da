import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import { addSamples, removeSamples } from '../../../contracts/samples'
import type { ServerContext } from '../../../platform/context'
import type { Documents } from '../../flows/collab/documents'
import { readTemplate } from '../../templates/readTemplates'
import { addChatbot } from '../addChatbot'
import { beginDeletion } from '../deletion'
import { insertSamples } from './insertSamples'
import { SAMPLE_TEMPLATE } from './sampleConversations'

/** Routes for a project's sample: a chatbot with conversations and contacts, marked, in no meter, gone by one press. */
export function registerSamples(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  registerRoute(app, context, addSamples, async ({ caller: { db, project, user }, origin }) => {
    const template = await readTemplate(SAMPLE_TEMPLATE, context.registry)
    if (!template) throw new Error(`There is no template ${SAMPLE_TEMPLATE}`)
    const name = template.about.title
    return db.transaction().execute(async (trx) => {
      const from = { name, flows: template.flows, template: SAMPLE_TEMPLATE, sample: true }
      const added = await addChatbot(context, trx, project, { ...from, by: user.id, origin }, documents)
      const place = { project_id: project.id, chatbot_id: added.id }
      await insertSamples(trx, context, place, template.tests)
      return { chatbot: added.gid }
    })
  })

  registerRoute(app, context, removeSamples, async ({ caller: { project }, origin }) => {
    // of all projects, since users' preferences refer to chatbots
    await context.db.transaction().execute(async (trx) => {
      const chatbots = await trx
        .selectFrom('chatbots')
        .select('id')
        .where('project_id', '=', project.id)
        .where('sample', '=', true)
        .where('deleting_since', 'is', null)
        .forUpdate()
        .execute()
      await trx.deleteFrom('contacts').where('project_id', '=', project.id).where('sample', '=', true).execute()
      const ids = chatbots.map(({ id }) => id)
      await beginDeletion(context, trx, project.id, ids, origin)
    })
    context.jobs.wake()
    documents.rightsChangedIn(project.id)
    return {}
  })
}
