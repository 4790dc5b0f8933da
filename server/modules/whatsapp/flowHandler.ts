import type { AnswerOf, ParsedRequestOf } from '../../../engine/effects/defineEffect'
import { OUTSIDE_WINDOW, whatsappEffect } from '../../../engine/effects/whatsapp'
import { isMediaUrl } from '../../../engine/values/url'
import { templateText } from '../../contracts/channelTemplates'
import type { WhatsappTemplate } from '../../contracts/whatsappTemplates'
import type { ServerContext } from '../../platform/context'
import type { CallContext } from '../../platform/effects/callContext'
import { handleEffect } from '../../platform/effects/handleEffect'
import { WHATSAPP } from './channelName'
import type { Connections } from './connections'
import { noteAgreement, whyNoTemplate } from './optIn'
import { type PersonRow, windowEnd } from './people'
import type { Templates } from './templates'

type Caller = Pick<CallContext, 'project' | 'chatbot' | 'conversation' | 'channel' | 'writes'>
type Asked = ParsedRequestOf<typeof whatsappEffect>
type Answered = AnswerOf<typeof whatsappEffect>
type AskedTemplate = Extract<Asked, { ask: 'template' }>

/** Answers what flows ask of their chatbot's number before they say something, and notes what people agree to. */
export function createFlowHandler(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  { connections, templates }: { connections: Connections; templates: Pick<Templates, 'ofConnection'> },
) {
  return handleEffect(whatsappEffect).by({
    carryOut: answer,
    simulate: async (asked, caller: Caller) => {
      if (asked.ask !== 'opt-in') return answer(asked, caller)
      const fields = { 'Agrees to marketing': asked.agrees ? 'yes' : 'no' }
      const effect = { vendor: 'WhatsApp', action: 'update', of: 'contact', count: 1, place: '', fields } as const
      return { ok: true, testEffects: [{ type: 'record', carriedOut: false, ...effect }] }
    },
  })

  async function answer(asked: Asked, caller: Caller): Promise<Answered> {
    const person = await personOf(caller)
    switch (asked.ask) {
      case 'window':
        return person && windowEnd(person) <= clock() ? { ok: false, error: OUTSIDE_WINDOW } : { ok: true }
      case 'opt-in':
        if (!person) return refused('Only people on WhatsApp can agree to be written to there.')
        await noteAgreement(db.forProject(caller.project.id), person, asked.agrees, asked.words, clock())
        return { ok: true }
      case 'template':
        return askTemplate(asked, caller, person)
    }
  }

  async function askTemplate(asked: AskedTemplate, caller: Caller, person?: PersonRow): Promise<Answered> {
    const own = db.forProject(caller.project.id)
    const connection = await connections.ofChatbot(own, caller.project.id, caller.chatbot.id)
    if (!connection) return refused('The chatbot has no number at WhatsApp. Connect one in its settings.')
    const { name, language } = asked
    const all = await templates.ofConnection(own, connection)
    const template = all.find((each) => each.name === name && each.language === language)
    if (!template) return refused(`WhatsApp has no template ${name} (${language}). Choose another one in the block.`)
    if (!template.sendable)
      return refused(`The template ${name} can’t be sent: WhatsApp says ${template.status} of it.`)
    const unwanted = person && whyNoTemplate(person, template.category)
    return unwanted ? refused(unwanted) : filled(template, asked.values)
  }

  /** Who the flow talks to at WhatsApp; undefined in conversations of other channels. */
  async function personOf({ project, chatbot, conversation, channel }: Caller): Promise<PersonRow | undefined> {
    if (channel !== WHATSAPP) return undefined
    return db
      .forProject(project.id)
      .selectFrom('conversations')
      .innerJoin('whatsapp_people', 'whatsapp_people.address', 'conversations.address')
      .innerJoin('whatsapp_connections', 'whatsapp_connections.id', 'whatsapp_people.connection_id')
      .selectAll('whatsapp_people')
      .where('conversations.id', '=', conversation.id)
      .where('conversations.project_id', '=', project.id)
      .where('whatsapp_people.project_id', '=', project.id)
      .where('whatsapp_connections.project_id', '=', project.id)
      .where('whatsapp_connections.chatbot_id', '=', chatbot.id)
      .executeTakeFirst()
  }
}

/** What a template says with these values, unless its places are others by now, or one stays empty. */
function filled(template: WhatsappTemplate, given: AskedTemplate['values']): Answered {
  const { name, places } = template
  const changed = refused(`The template ${name} has changed. Choose it again in the block.`)
  if (given.length !== places.length) return changed
  const values: string[] = []
  for (const { part, index, kind, name: place } of places) {
    const found = given.find((each) => each.part === part && each.index === index && each.name === place)
    if (found?.kind !== kind) return changed
    const value = found.value.trim()
    if (value === '') return refused(`The template ${name} needs a value for {{${place}}}.`)
    if (kind !== 'text' && !isMediaUrl(value)) return refused('Enter a valid URL (must start with https:// or http://)')
    values.push(value)
  }
  return { ok: true, text: templateText(template, values) }
}

const refused = (error: string) => ({ ok: false, error }) as const
