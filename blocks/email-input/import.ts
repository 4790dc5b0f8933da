import { fieldsOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { INPUT_SETTINGS, inputSettings, noteOthers } from '../../engine/interop/settings'
import { emailInputDefaults } from './schema'

/** An email input with its retry message. */
export const emailInputFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['email input'],
  map(block, context) {
    const options = fieldsOf(block.options)
    context.remark('An email address keeps its capital letters here; there it was kept in small ones.')
    noteOthers(options, INPUT_SETTINGS, context)
    return { data: { ...emailInputDefaults(), ...inputSettings(options, context) }, ports: { default: 'next' } }
  },
}
