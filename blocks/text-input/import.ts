import { fieldsOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { INPUT_SETTINGS, inputSettings, noteOthers } from '../../engine/interop/settings'
import { textInputDefaults } from './schema'

/** A text input. */
export const textInputFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['text input'],
  map(block, context) {
    const options = fieldsOf(block.options)
    noteOthers(options, [...INPUT_SETTINGS, 'isLong'], context)
    return {
      data: { ...textInputDefaults(), ...inputSettings(options, context), long: options.isLong === true },
      ports: { default: 'next' },
    }
  },
}
