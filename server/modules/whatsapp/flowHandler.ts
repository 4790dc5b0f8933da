import { OUTSIDE_WINDOW, whatsappEffect } from '../../../engine/effects/whatsapp'
import { isMediaUrl } from '../../../engine/values/url'
import { templateText } from '../../contracts/channelTemplates'
import type { ServerContext } from '../../platform/context'
import type { CallContext } from '../../platform/effects/callContext'
import { handleEffect } from '../../platform/effects/handleEffect'
import type { Connections } from './connections'
import { windowEnd } from './people'
import { WHATSAPP } from './take'
import type { Templates } from './templates'

type Caller = Pick<CallContext, 'project' | 'chatbot' | 'conversation' | 'channel' | 'writes'>

/** Answers what flows ask of their chatbot's number before they say something. */
export function createFlowHandler(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  { connections, templates }: { connections: Connections; templates: Pick<Templates, 'ofConnection'> },
) {
  return handleEffect(whatsappEffect).by({
    carryOut: async (asked, caller: Caller) => {
      if (asked.ask === 'window') return (await isOutside(caller)) ? { ok: false, error: OUTSIDE_WINDOW } : { ok: true }
      const own = db.forProject(caller.project.id)
      const connection = await connections.ofChatbot(own, caller.project.id, caller.chatbot.id)
      if (!connection) return refused('The chatbot has no number at WhatsApp. Connect one in its settings.')
      const { name, language } = asked
      const all = await templates.ofConnection(own, connection)
      const template = all.find((each) => each.name === name && each.language === language)
      if (!template) return refused(`WhatsApp has no template ${name} (${language}). Choose another one in the block.`)
      if (!template.sendable)
        return refused(`The template ${name} can’t be sent: WhatsApp says ${template.status} of it.`)
      const changed = refused(`The template ${name} has changed. Choose it again in the block.`)
      if (asked.values.length !== template.places.length) return changed
      const values: string[] = []
      for (const place of template.places) {
        const { part, index, kind } = place
        const given = asked.values.find(
          (each) => each.part === part && each.index === index && each.name === place.name,
        )
        if (given?.kind !== kind) return changed
        const value = given.value.trim()
        if (value === '') return refused(`The template ${name} needs a value for {{${place.name}}}.`)
        if (kind !== 'text' && !isMediaUrl(value))
          return refused('Enter a valid URL (must start with https:// or http://)')
        values.push(value)
      }
      return { ok: true, text: templateText(template, values) }
    },
    simulate: 'reads-only',
  })

  /** Of conversations of other channels, and of people who are not known there, nothing is over. */
  async function isOutside({ project, chatbot, conversation, channel }: Caller): Promise<boolean> {
    if (channel !== WHATSAPP) return false
    const person = await db
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
    return person !== undefined && windowEnd(person) <= clock()
  }
}

const refused = (error: string) => ({ ok: false, error }) as const
