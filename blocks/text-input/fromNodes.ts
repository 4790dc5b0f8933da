import { listOf, textOf } from '../../engine/interop/fields'
import type { NodeImporter } from '../../engine/interop/importer'
import { caps, counts } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import { textInputDefaults } from './schema'

/** The visitor's next message, with which such products start: a whole text, always valid. */
const map: NodeImporter['map'] = (block, context) => {
  const suggested = listOf(block.suggested).map(textOf)
  if (suggested.length > 0)
    context.note('The suggested questions stood below the first message alone: here they stand below each.')
  if (suggested.length > counts.quickReplies)
    context.note(`Only the first ${counts.quickReplies} of ${suggested.length} suggested questions are kept.`)
  return {
    data: {
      ...textInputDefaults(),
      saveTo: context.variable(block.saveTo),
      attempts: counts.attempts,
      long: true,
      quickReplies: suggested
        .slice(0, counts.quickReplies)
        .map((label) => ({ id: context.id(), label: staticValue(label.slice(0, caps.quickReply)) })),
    },
    ports: { default: 'next' },
  }
}

export const textInputFromDify: NodeImporter = { product: 'dify', types: ['message'], map }
export const textInputFromFlowise: NodeImporter = { product: 'flowise', types: ['message'], map }
