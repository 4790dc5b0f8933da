import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/whatsappTemplates'
import type { ServerContext } from '../../platform/context'
import { ApiError, fieldError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import type { ConnectionRow, Connections } from './connections'
import { whatsappTemplateSubmitted } from './events'
import { AnswerLost } from './graph'
import { GraphError } from './graphError'
import type { NumberOf } from './numberOf'
import { projectFile } from './projectFile'
import type { Templates } from './templates'

/** Templates of a chatbot's number: which there are, what WhatsApp says of them, and giving it new ones. */
export function registerTemplates(
  app: FastifyInstance,
  context: ServerContext,
  { connections, numbers: { find }, templates }: { connections: Connections; numbers: NumberOf; templates: Templates },
): void {
  registerRoute(app, context, contract.listWhatsappTemplates, async ({ caller, params }) => {
    const row = await find(caller, params.cgid)
    return { templates: await templates.ofConnection(caller.db, row) }
  })

  registerRoute(app, context, contract.fetchWhatsappTemplates, async ({ caller, params }) => {
    const row = await find(caller, params.cgid)
    await templates.fetch(caller.db, row, tokenOf(row)).catch((error: unknown) => {
      throw wordsOf(error) === null ? error : new ApiError('unavailable', { message: `${wordsOf(error)}` })
    })
    return { templates: await templates.ofConnection(caller.db, row) }
  })

  registerRoute(app, context, contract.submitWhatsappTemplate, async ({ caller, params, body, origin }) => {
    const row = await find(caller, params.cgid)
    const { name, language } = body
    const known = await templates.ofConnection(caller.db, row)
    if (known.some((each) => each.name === name && each.language === language))
      throw fieldError('name', `There is a template ${name} in ${language} already. Choose another name.`)
    const { media } = body
    const at = media && { field: 'media.file', ...contract.headingFiles[media.kind] }
    const heading = media && at ? await projectFile(caller.db, context.files, media.file, at) : null
    const keep = await templates.submit(row, tokenOf(row), body, heading).catch((error: unknown) => {
      throw wordsOf(error) === null ? error : fieldError('name', `${wordsOf(error)}`)
    })
    await caller.db.transaction().execute(async (work) => {
      await keep(work)
      await appendEvent(work, whatsappTemplateSubmitted, origin, { chatbot: params.cgid, name, language })
    })
    return { templates: await templates.ofConnection(caller.db, row) }
  })

  function tokenOf(row: ConnectionRow): string {
    const token = connections.keysOf(row)?.token
    if (token === undefined)
      throw new ApiError('unavailable', { message: 'The number’s values can’t be opened. Connect it again.' })
    return token
  }
}

/** What WhatsApp said; null: it is no answer of WhatsApp's. */
const wordsOf = (error: unknown): string | null =>
  error instanceof GraphError || error instanceof AnswerLost ? error.message : null
