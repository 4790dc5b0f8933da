import type { ChannelCapabilities } from '../flow/capabilities'
import type { AnyBlock } from '../flow/defineBlock'
import type { VisitorPart } from '../flow/visitorParts'

/** What a channel shows of a block in another way than the flow says, or not at all. */
export interface ChannelProblem {
  readonly code:
    | 'web-only'
    | 'cards-apart'
    | 'link-instead'
    | 'fields-in-turn'
    | 'buttons-as-list'
    | 'buttons-as-text'
    | 'list-split'
    | 'label-cut'
    | 'caption-cut'
    | 'text-split'
  readonly path?: string
  readonly values: Readonly<Record<string, string | number>>
}

const codeOf = { nothing: 'web-only', cards: 'cards-apart', link: 'link-instead', fields: 'fields-in-turn' } as const
/** Characters of a label that a finding repeats. */
const LONGEST_LABEL = 80

/**
 * Compares a block with what the chatbot's channels can show (SPEC.md 9: captions, labels of buttons). Asks their
 * capabilities alone.
 */
export function channelProblemsOf(
  definition: AnyBlock,
  data: unknown,
  channels: readonly ChannelCapabilities[],
): ChannelProblem[] {
  const parts: readonly VisitorPart[] = channels.some(isLimited) ? definition.visitorParts(data) : []
  return channels.flatMap((channel) => {
    const { wants, instead } = definition
    const missing: ChannelProblem[] =
      wants && !channel.features.includes(wants) ? [{ code: codeOf[instead], values: { channel: channel.label } }] : []
    return [...missing, ...parts.flatMap((part) => limitsOf(part, channel))]
  })
}

const isLimited = ({ buttons, list, text, caption }: ChannelCapabilities): boolean =>
  buttons !== null || list !== null || text !== null || caption !== null

function limitsOf(part: VisitorPart, channel: ChannelCapabilities): ChannelProblem[] {
  if (part.as === 'options') return optionLimits(part, channel)
  const most = part.as === 'caption' ? channel.caption : channel.text
  if (most === null || part.length <= most) return []
  const code = part.as === 'caption' ? 'caption-cut' : 'text-split'
  return [{ code, path: part.path, values: { channel: channel.label, most } }]
}

/** A list shows more options than buttons do, and has other labels. */
function optionLimits(
  { path, labels }: Extract<VisitorPart, { as: 'options' }>,
  { label: channel, buttons, list }: ChannelCapabilities,
): ChannelProblem[] {
  const count = labels.length
  const areButtons = buttons === null || count <= buttons.most
  if (!areButtons && list === null)
    return [{ code: 'buttons-as-text', path, values: { channel, count, most: buttons.most } }]
  const place = areButtons ? buttons : list
  const cut = labels
    .filter(({ length }) => place !== null && length > place.label)
    .map(
      ({ path: at, text }): ChannelProblem => ({
        code: 'label-cut',
        path: at,
        values: { channel, label: text.slice(0, LONGEST_LABEL), most: place?.label ?? 0 },
      }),
    )
  if (areButtons) return cut
  const split = list !== null && count > list.most
  const most = split ? list.most : buttons.most
  return [{ code: split ? 'list-split' : 'buttons-as-list', path, values: { channel, count, most } }, ...cut]
}
