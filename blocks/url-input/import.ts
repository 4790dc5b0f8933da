import { fieldsOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { INPUT_SETTINGS, inputSettings, noteOthers } from '../../engine/interop/settings'
import { urlInputDefaults } from './schema'

/** A URL input with its retry message. */
export const urlInputFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['url input'],
  map(block, context) {
    const options = fieldsOf(block.options)
    context.remark(
      'An address without https:// is asked for again here, with https:// put before it; there it was kept as it was.',
    )
    noteOthers(options, INPUT_SETTINGS, context)
    return { data: { ...urlInputDefaults(), ...inputSettings(options, context) }, ports: { default: 'next' } }
  },
}
