import type { NodeImporter } from '../../engine/interop/importer'
import { staticValue } from '../../engine/values/dynamicValue'
import { type ButtonsData, buttonsDefaults } from './schema'

/** A person's approval or rejection. */
export const buttonsFromFlowise: NodeImporter = {
  product: 'flowise',
  types: ['humanInputAgentflow'],
  map(block, context) {
    if (block.feedback === true)
      context.note('A remark could be given with the decision: add a text input behind a button where one is wanted.')
    const options = ['Proceed', 'Reject'].map((label) => ({ id: context.id(), label: staticValue(label) }))
    const data: ButtonsData = { ...buttonsDefaults(context.id), prompt: context.richText(block.text), options }
    return { data, ports: { 0: options[0]?.id, 1: options[1]?.id } }
  },
}
