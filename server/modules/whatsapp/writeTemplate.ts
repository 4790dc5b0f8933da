import type { BotMessage } from '../../../engine/flow/conversation'
import type { Json } from '../../../engine/values/json'
import { fileNameIn } from '../../../engine/values/url'
import type { WhatsappMessage } from './whatsappMessage'

type Template = NonNullable<Extract<BotMessage, { kind: 'text' }>['template']>
type Value = Template['values'][number]

/** A template with its values as WhatsApp takes it: one component for what is filled of each part and button. */
export function writeTemplate({ name, language, values }: Template): WhatsappMessage {
  // places with numbers are filled in the order of their numbers, wherever they stand
  const of = (part: Value['part']) =>
    values.filter((value) => value.part === part).toSorted((one, two) => Number(one.name) - Number(two.name) || 0)
  const components: Json[] = []
  for (const type of ['header', 'body'] as const)
    if (of(type).length > 0) components.push({ type, parameters: of(type).map(parameterOf) })
  for (const { index, value } of of('button'))
    components.push({ type: 'button', sub_type: 'url', index, parameters: [{ type: 'text', text: value }] })
  return {
    type: 'template',
    template: { name, language: { code: language }, ...(components.length > 0 && { components }) },
  }
}

/** Places that have names are filled by name, others by their order. WhatsApp refuses breaks and rows of spaces. */
const parameterOf = ({ name, kind, value }: Value): Json =>
  kind === 'text'
    ? { type: kind, ...(!/^\d+$/.test(name) && { parameter_name: name }), text: value.replace(/\s+/g, ' ').trim() }
    : { type: kind, [kind]: { link: value, ...(kind === 'document' && { filename: fileNameIn(value) }) } }
