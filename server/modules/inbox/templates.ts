import type { BotMessage } from '../../../engine/flow/conversation'
import { plainRichText } from '../../../engine/values/richText'
import { type ChannelTemplate, type FilledTemplate, templateText } from '../../contracts/channelTemplates'
import { ApiError, fieldError } from '../../platform/errors'
import type { Channels } from '../conversations/channels/channel'
import type { FoundConversation } from './findConversation'

/** What the channel of a conversation takes at any time. Web and the like take answers always, so they have none. */
export async function templatesOf(channels: Channels, row: FoundConversation): Promise<ChannelTemplate[]> {
  const { channel, chatbot_id: chatbotId, address } = row
  if (address === null) return []
  return (await channels.get(channel)?.templates?.({ conversation: row, chatbotId, address })) ?? []
}

/**
 * An answer by a template: what it says, and how the channel sends it.
 * @throws ApiError invalid, at the field; not_found if the channel has no such template any more
 */
export async function templateMessage(
  channels: Channels,
  row: FoundConversation,
  { name, language, values }: FilledTemplate,
): Promise<BotMessage> {
  const template = (await templatesOf(channels, row)).find((each) => each.name === name && each.language === language)
  if (!template) throw new ApiError('not_found', { message: `The template ${name} can’t be sent any more.` })
  const { places } = template
  const missing = places.findIndex((_, at) => values[at] === undefined)
  if (missing >= 0) throw fieldError(`template.values.${missing}`, 'Enter a value')
  const address = places.findIndex(({ kind }, at) => kind !== 'text' && !/^https?:\/\/\S+$/.test(values[at] ?? ''))
  if (address >= 0)
    throw fieldError(`template.values.${address}`, 'Enter a valid URL (must start with https:// or http://)')
  return {
    kind: 'text',
    text: plainRichText(templateText(template, values)),
    template: { name, language, values: places.map((place, at) => ({ ...place, value: values[at] ?? '' })) },
  }
}
