import { defineBlock } from '../../engine/flow/defineBlock'
import { cause, setVariable } from '../../engine/flow/steps'
import { adFields, type LinkOpenedData, linkOpenedDefaults, linkOpenedSchema } from './schema'

const kept = Object.entries(adFields) as [keyof typeof adFields, keyof LinkOpenedData][]
const savesOf = (data: LinkOpenedData): [keyof typeof adFields, string][] =>
  kept.flatMap(([of, field]) => {
    const id = data[field]
    return typeof id === 'string' ? [[of, id] as [keyof typeof adFields, string]] : []
  })

/**
 * Starts a conversation in a messaging app for who opens a link that writes a certain text, or comes by an
 * advertisement, of which it keeps what is known.
 */
export const linkOpened = defineBlock({
  kind: 'link-opened',
  category: 'trigger',
  title: 'Link or ad',
  help: 'Starts in a messaging app when someone comes by a link with this text, or by an ad.',
  schema: linkOpenedSchema,
  defaults: linkOpenedDefaults,
  ports: () => [{ id: 'next' }],
  writes: (data) => savesOf(data).map(([, id]) => id),
  // an advertisement need not have all of it
  assures: () => [],
  problems: ({ text, ads }) =>
    text.trim() === '' && !ads ? [{ path: 'text', message: 'Enter a text, or start for ads' }] : [],
  linkText: ({ text }) => text,
  startsOn: ({ ads }, { opened, referral }, blockId) =>
    opened === undefined ? ads && referral !== undefined : opened === blockId,
  rank: 3,
  *run(data) {
    const why = yield* cause()
    const referral = why?.type === 'start' ? why.referral : undefined
    if (referral) for (const [of, id] of savesOf(data)) yield* setVariable(id, referral[of] || null)
    return 'next'
  },
})
